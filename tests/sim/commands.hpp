// All of ym-sim-node's commands but `create`, for the program and for tests that go through them.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "tests/sim/gpu_commands.hpp"

namespace yardmaster::sim {

/// By subject. No name may be in two tables: the first would hide the second.
std::vector<std::map<std::string, Command>> command_tables();

/// Does to `node` what `name` stands for. kInvalidArgument for an unknown name, a wrong number of
/// arguments or a bad one; other errors are the command's.
Status run_command(const std::string& name, const SimNode& node, const Arguments& arguments);

/// The text of --help.
std::string command_usage();

}  // namespace yardmaster::sim
