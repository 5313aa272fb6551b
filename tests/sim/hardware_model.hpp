// What a node of a known model has around its GPUs: NICs, their rates, PCIe.
#pragma once

#include <string_view>
#include <vector>

namespace yardmaster::sim {

struct HardwareModel {
    std::string_view name;  ///< as `ym-sim-node create --model` takes it
    unsigned gpus;
    double rail_gbps;
    std::string_view link_layer;  ///< of the rails
    std::string_view hca_type;    ///< as sysfs shows it: MT4129 is ConnectX-7
    double pcie_gts;              ///< of GPUs and rail NICs, GT/s per lane
    std::string_view gpu_device;  ///< PCI device number of its GPUs
    /// GPU and NIC hang on one PCIe switch; else they meet in the CPU only.
    bool nic_beside_gpu;
};

const std::vector<HardwareModel>& hardware_models();

/// nullptr when there is no such model.
const HardwareModel* find_model(std::string_view name);

}  // namespace yardmaster::sim
