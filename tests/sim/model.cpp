#include "tests/sim/model.hpp"

#include <algorithm>

namespace yardmaster::sim {
namespace {

constexpr const char* kNoCluster = "00000000-0000-0000-0000-000000000000";
constexpr const char* kRackCluster = "00000001-0000-0000-0000-000000000001";
// All conditions of the health mask supported and false.
constexpr unsigned kAllWell = 0x1aa;

SimFabric unsupported_fabric() {
    return {kNvmlNotSupported, 0, 0, 0, kNoCluster, 0, 0};
}

/// As NVIDIA's H100 nodes in good health answer: completed, and no cluster.
SimFabric node_fabric(unsigned health) {
    return {kNvmlSuccess, kFabricCompleted, 0, 0, kNoCluster, health, health == 0 ? 0u : 1u};
}

SimFabric rack_fabric() {
    return {kNvmlSuccess, kFabricCompleted, 0, 2, kRackCluster, kAllWell, 1};
}

SimModel h100_hgx(std::string_view name, std::string_view link_layer) {
    return {name,
            8,
            "NVIDIA H100 80GB HBM3",
            18,
            true,
            false,
            5,
            node_fabric(0),
            {},
            {},
            "0x2330",
            400,
            "MT4129",
            link_layer};
}

// Counts, rates and generations: NVIDIA's DGX and HGX data sheets and the GB200 NVL72 reference;
// PCI numbers from pci.ids.
std::vector<SimModel> make_models() {
    const SimFabric none = unsupported_fabric();
    SimModel a100{"a100-hgx", 8, "NVIDIA A100-SXM4-80GB", 12, true, false, 4, none};
    a100.gpu_device = "0x20b2";
    a100.rail_gbps = 200;
    a100.hca_type = "MT4123";
    SimModel h200 = h100_hgx("h200-hgx", "InfiniBand");
    h200.gpu = "NVIDIA H200";
    h200.gpu_device = "0x2335";
    SimModel b200 = h100_hgx("b200-hgx", "InfiniBand");
    b200.gpu = "NVIDIA B200";
    b200.gpu_device = "0x2901";
    b200.nvlink5 = true;
    b200.fabric = node_fabric(kAllWell);
    SimModel rack = b200;
    rack.name = "gb200-nvl72";
    rack.gpus = 4;
    rack.gpu = "NVIDIA GB200";
    rack.gpu_device = "0x2941";
    rack.fabric = rack_fabric();
    rack.pci_domains = {0x8, 0x9, 0x18, 0x19};  // one GPU a PCI domain, as the trays have them
    rack.nic_beside_gpu = false;
    SimModel pcie = h100_hgx("h100-pcie", "InfiniBand");
    pcie.gpu = "NVIDIA H100 PCIe";
    pcie.gpu_device = "0x2331";
    pcie.switched = false;
    pcie.fabric = none;
    pcie.unwired = {4, 5, 10, 11, 16, 17};  // pairs of cards under bridges, which wire 12 of 18
    return {a100,
            h100_hgx("h100-hgx", "InfiniBand"),
            h200,
            b200,
            rack,
            pcie,
            h100_hgx("h100-hgx-roce", "Ethernet")};
}

}  // namespace

double pcie_gts(const SimModel& model) {
    return model.pcie_generation == 4 ? 16 : 32;
}

const std::vector<SimModel>& sim_models() {
    static const std::vector<SimModel> models = make_models();
    return models;
}

const SimModel* find_sim_model(std::string_view name) {
    const auto& models = sim_models();
    const auto found = std::find_if(
        models.begin(), models.end(), [&](const SimModel& model) { return model.name == name; });
    return found == models.end() ? nullptr : &*found;
}

std::string sim_model_names() {
    std::string names;
    for (const SimModel& model : sim_models()) {
        names += (names.empty() ? "" : ", ") + std::string(model.name);
    }
    return names;
}

}  // namespace yardmaster::sim
