// ym-sim-node's commands that damage GPUs.
#pragma once

#include <functional>
#include <map>
#include <string>

#include "tests/sim/options.hpp"
#include "tests/sim/sim_node.hpp"

namespace yardmaster::sim {

struct Command {
    std::size_t arguments;  ///< after DIR
    std::function<Status(const SimNode&, const Arguments&)> run;
};

std::map<std::string, Command> gpu_commands();

/// Their lines of the usage text.
extern const char* const kGpuUsage;

}  // namespace yardmaster::sim
