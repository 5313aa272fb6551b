// `yardmaster replay TRACE`: what different rules of placement make of a stream of jobs.
#pragma once

#include <string>
#include <vector>

#include "cli/console.hpp"

namespace yardmaster::cli {

struct ReplayOptions {
    std::string trace_file;
    std::string fabric_file;            ///< "": beside slurm.conf
    std::string policy_file;            ///< "": yardmaster.json beside it, where there is one
    std::vector<std::string> policies;  ///< empty: all
    std::string svg_file;               ///< "": no picture
    bool json = false;
};

/// 0: played; 1: played, but jobs had to be left out or one of the policies can never place some;
/// 2: bad options; 3: a file cannot be read.
ExitCode run_replay(const ReplayOptions& options, const Console& console);

}  // namespace yardmaster::cli
