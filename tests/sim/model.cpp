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

SimModel h100_hgx() {
    SimModel model;
    model.name = "h100-hgx";
    model.gpus = 8;
    model.gpu = "NVIDIA H100 80GB HBM3";
    model.links = 18;
    model.switched = true;
    model.pcie_generation = 5;
    model.fabric = node_fabric(0);
    model.gpu_device = "0x2330";
    model.rail_gbps = 400;
    model.hca_type = "MT4129";
    return model;
}

SimModel a100_hgx() {
    SimModel model = h100_hgx();
    model.name = "a100-hgx";
    model.gpu = "NVIDIA A100-SXM4-80GB";
    model.links = 12;
    model.pcie_generation = 4;
    model.fabric = unsupported_fabric();
    model.gpu_device = "0x20b2";
    model.rail_gbps = 200;
    model.hca_type = "MT4123";
    return model;
}

SimModel h200_hgx() {
    SimModel model = h100_hgx();
    model.name = "h200-hgx";
    model.gpu = "NVIDIA H200";
    model.gpu_device = "0x2335";
    return model;
}

SimModel b200_hgx() {
    SimModel model = h100_hgx();
    model.name = "b200-hgx";
    model.gpu = "NVIDIA B200";
    model.gpu_device = "0x2901";
    model.nvlink5 = true;
    model.fabric = node_fabric(kAllWell);
    return model;
}

SimModel gb200_nvl72() {
    SimModel model = b200_hgx();
    model.name = "gb200-nvl72";
    model.gpus = 4;
    model.gpu = "NVIDIA GB200";
    model.gpu_device = "0x2941";
    model.fabric = rack_fabric();
    model.pci_domains = {0x8, 0x9, 0x18, 0x19};  // one GPU a PCI domain, as the trays have them
    model.nic_beside_gpu = false;
    return model;
}

SimModel h100_pcie() {
    SimModel model = h100_hgx();
    model.name = "h100-pcie";
    model.gpu = "NVIDIA H100 PCIe";
    model.gpu_device = "0x2331";
    model.switched = false;
    model.fabric = unsupported_fabric();
    model.unwired = {4, 5, 10, 11, 16, 17};  // pairs of cards under bridges, which wire 12 of 18
    return model;
}

SimModel h100_hgx_roce() {
    SimModel model = h100_hgx();
    model.name = "h100-hgx-roce";
    model.link_layer = "Ethernet";
    return model;
}

// Counts, rates and generations: NVIDIA's DGX and HGX data sheets and the GB200 NVL72 reference;
// PCI numbers from pci.ids.
std::vector<SimModel> make_models() {
    return {a100_hgx(),
            h100_hgx(),
            h200_hgx(),
            b200_hgx(),
            gb200_nvl72(),
            h100_pcie(),
            h100_hgx_roce()};
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
