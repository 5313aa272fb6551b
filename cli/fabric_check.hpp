// `yardmaster fabric check FILE`: is this fabric file right, and does it fit the cluster?
#pragma once

#include <string>

#include "cli/console.hpp"
#include "cli/slurm_client.hpp"

namespace yardmaster::cli {

struct FabricCheckOptions {
    std::string file;
    bool live = false;  ///< compare with slurmctld's nodes
    bool json = false;
};

/// 0: nothing to say; 1: the file is wrong, or there are warnings; 3: the file cannot be read or
/// the controller does not answer. `slurm` is used with `live` only, else may be null.
ExitCode run_fabric_check(const FabricCheckOptions& options,
                          SlurmClient* slurm,
                          const Console& console);

}  // namespace yardmaster::cli
