// The bash completion of `yardmaster`.
#pragma once

#include <string>

#include "cli/command_text.hpp"

namespace yardmaster::docgen {

/// A script for bash: commands, options and, by the kind of a value, files, folders, Slurm's nodes
/// and jobs, hints. It needs bash alone; Slurm is asked only for nodes and jobs, for two seconds.
std::string bash_completion(const cli::CommandText& command);

/// Whether bash_completion knows what to offer for values of `kind`.
bool is_known_value(const std::string& kind);

}  // namespace yardmaster::docgen
