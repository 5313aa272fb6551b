// ym-sim-node's commands about what RDMA writes between rails reach.
#pragma once

#include "tests/sim/gpu_commands.hpp"

namespace yardmaster::sim {

std::map<std::string, Command> rdma_commands();

/// Their lines of the usage text.
extern const char* const kRdmaUsage;

}  // namespace yardmaster::sim
