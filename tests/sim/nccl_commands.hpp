// ym-sim-node's commands about CUDA and NCCL.
#pragma once

#include <map>
#include <string>

#include "tests/sim/gpu_commands.hpp"

namespace yardmaster::sim {

std::map<std::string, Command> nccl_commands();

/// Their lines of the usage text.
extern const char* const kNcclUsage;

}  // namespace yardmaster::sim
