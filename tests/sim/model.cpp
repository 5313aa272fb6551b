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

SimModel h100_hgx(std::string_view name) {
    return {name, 8, "NVIDIA H100 80GB HBM3", 18, true, false, 5, node_fabric(0), {}, {}, 400};
}

std::vector<SimModel> make_models() {
    return {
        {"a100-hgx",
         8,
         "NVIDIA A100-SXM4-80GB",
         12,
         true,
         false,
         4,
         unsupported_fabric(),
         {},
         {},
         200},
        h100_hgx("h100-hgx"),
        {"h200-hgx", 8, "NVIDIA H200", 18, true, false, 5, node_fabric(0), {}, {}, 400},
        {"b200-hgx", 8, "NVIDIA B200", 18, true, true, 5, node_fabric(kAllWell), {}, {}, 400},
        // One GPU a PCI domain, as the trays of an NVL72 have them.
        {"gb200-nvl72",
         4,
         "NVIDIA GB200",
         18,
         true,
         true,
         5,
         rack_fabric(),
         {},
         {0x8, 0x9, 0x18, 0x19},
         400},
        // Pairs of cards under bridges, which wire 12 of the 18 links.
        {"h100-pcie",
         8,
         "NVIDIA H100 PCIe",
         18,
         false,
         false,
         5,
         unsupported_fabric(),
         {4, 5, 10, 11, 16, 17},
         {},
         400},
        h100_hgx("h100-hgx-roce"),
    };
}

}  // namespace

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
