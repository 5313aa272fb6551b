// The hardware models that can be simulated: `ym-sim-node create --model NAME`.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tests/sim/scenario.hpp"

namespace yardmaster::sim {

/// What a node of a model has on its GPU side.
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
    /// [minor] PCI domain of each GPU, all with one bus number; empty: eight to a domain
    std::vector<unsigned> pci_domains;
    double rail_gbps = 0;
};

const std::vector<SimModel>& sim_models();

/// nullptr for a name that no model has. Borrowed, for ever.
const SimModel* find_sim_model(std::string_view name);

/// "a100-hgx, h100-hgx, ...", for messages.
std::string sim_model_names();

}  // namespace yardmaster::sim
