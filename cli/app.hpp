// The command line: subcommands, options, help. Everything below it is free of argument parsing.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "cli/command_text.hpp"
#include "cli/console.hpp"
#include "cli/slurm_client.hpp"

namespace yardmaster::cli {

using SlurmConnector = std::function<Result<std::unique_ptr<SlurmClient>>()>;

/// Runs `yardmaster ARGUMENT...` (without the program's name) and returns its exit code. `connect`
/// is called by those commands only that ask slurmctld.
int run_app(const std::vector<std::string>& arguments,
            const SlurmConnector& connect,
            const Console& console);

/// All commands, options and arguments that run_app understands.
CommandText describe_app();

/// Whether run_app would understand the words, without running them. Errors: kInvalidArgument.
Status check_command_line(const std::vector<std::string>& arguments);

}  // namespace yardmaster::cli
