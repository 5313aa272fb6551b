#include "tests/sim/hardware_model.hpp"

#include <algorithm>

namespace yardmaster::sim {

// Rates and generations: NVIDIA's DGX and HGX data sheets and the GB200 NVL72 reference; PCI
// numbers from pci.ids.
const std::vector<HardwareModel>& hardware_models() {
    static const std::vector<HardwareModel> models = {
        {"a100-hgx", 8, 200, "InfiniBand", "MT4123", 16, "0x20b2", true},
        {"h100-hgx", 8, 400, "InfiniBand", "MT4129", 32, "0x2330", true},
        {"h200-hgx", 8, 400, "InfiniBand", "MT4129", 32, "0x2335", true},
        {"b200-hgx", 8, 400, "InfiniBand", "MT4129", 32, "0x2901", true},
        {"gb200-nvl72", 4, 400, "InfiniBand", "MT4129", 32, "0x2941", false},
        {"h100-pcie", 8, 400, "InfiniBand", "MT4129", 32, "0x2331", true},
        {"h100-hgx-roce", 8, 400, "Ethernet", "MT4129", 32, "0x2330", true},
    };
    return models;
}

const HardwareModel* find_model(std::string_view name) {
    const auto& models = hardware_models();
    const auto found = std::find_if(models.begin(), models.end(), [&](const HardwareModel& model) {
        return model.name == name;
    });
    return found == models.end() ? nullptr : &*found;
}

}  // namespace yardmaster::sim
