// The hardware models that can be simulated: `ym-sim-node create --model NAME`.
#pragma once

#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "tests/sim/scenario.hpp"

namespace yardmaster::sim {

/// What a node of a model has: GPUs, NVLinks, NICs.
struct SimModel {
    std::string_view name;  ///< "h100-hgx"
    unsigned gpus = 0;
    std::string_view gpu;          ///< nvmlDeviceGetName
    unsigned links = 0;            ///< NVLinks that NVML knows of
    bool switched = false;         ///< they lead to NVSwitches
    bool nvlink5 = false;          ///< has Blackwell's link fields, else Hopper's and older ones
    unsigned pcie_generation = 0;  ///< of GPU and slot
    SimFabric fabric;
    std::vector<unsigned> unwired;  ///< links that are inactive by design
    /// [minor] PCI domain of each GPU, all with one bus number; empty: four to a domain
    std::vector<unsigned> pci_domains;
    std::string_view gpu_device;  ///< PCI device number of its GPUs
    double rail_gbps = 0;
    std::string_view hca_type;                   ///< as sysfs shows it: MT4129 is ConnectX-7
    std::string_view link_layer = "InfiniBand";  ///< of the rails
    /// GPU and NIC hang on one PCIe switch; else they meet in the CPU only.
    bool nic_beside_gpu = true;
};

/// For messages of tests.
inline void PrintTo(const SimModel& model, std::ostream* out) {
    *out << model.name;
}

/// GT/s per lane of its GPUs and rail NICs.
double pcie_gts(const SimModel& model);

const std::vector<SimModel>& sim_models();

/// nullptr for a name that no model has. Borrowed, for ever.
const SimModel* find_sim_model(std::string_view name);

/// "a100-hgx, h100-hgx, ...", for messages.
std::string sim_model_names();

}  // namespace yardmaster::sim
