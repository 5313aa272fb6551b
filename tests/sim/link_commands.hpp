// ym-sim-node's commands about counters, addresses, PCIe links and wiring.
#pragma once

#include "tests/sim/gpu_commands.hpp"

namespace yardmaster::sim {

std::map<std::string, Command> link_commands();

/// Their lines of the usage text.
extern const char* const kLinkUsage;

}  // namespace yardmaster::sim
