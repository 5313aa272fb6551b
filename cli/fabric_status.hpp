// `yardmaster fabric status`: how much room the live cluster has, and how broken up it is.
#pragma once

#include <string>

#include "cli/console.hpp"
#include "cli/slurm_client.hpp"

namespace yardmaster::cli {

struct FabricStatusOptions {
    std::string fabric_file;  ///< "": beside slurm.conf
    bool json = false;
};

/// 0: shown; 3: the fabric file cannot be read or the controller does not answer.
ExitCode run_fabric_status(const FabricStatusOptions& options,
                           SlurmClient& slurm,
                           const Console& console);

}  // namespace yardmaster::cli
