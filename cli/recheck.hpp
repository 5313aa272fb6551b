// `yardmaster recheck`: the node's checks again, kept as evidence that `resume` looks for.
#pragma once

#include <string>

#include "cli/console.hpp"

namespace yardmaster::cli {

struct RecheckOptions {
    std::string node;         ///< must be this host
    std::string fabric_file;  ///< "": beside slurm.conf
    std::string policy_file;  ///< "": yardmaster.json beside slurm.conf, where there is one
    bool json = false;
};

/// 0: healthy, may be resumed; 1: degraded; 3: something could not be measured, the evidence could
/// not be kept, or this is another host. Forks: call it from a single-threaded process.
ExitCode run_recheck(const RecheckOptions& options, const Console& console);

}  // namespace yardmaster::cli
