// `yardmaster explain JOBID`: how a job was placed, how good that is, and what would improve it.
#pragma once

#include <string>

#include "cli/console.hpp"
#include "cli/slurm_client.hpp"

namespace yardmaster::cli {

struct ExplainOptions {
    std::string job;          ///< "123", "123_4", "123+1"
    std::string fabric_file;  ///< "": beside slurm.conf
    std::string policy_file;  ///< "": yardmaster.json beside it, where there is one
    std::string as;           ///< hints to judge it by instead of its own; "": its own
    bool json = false;
};

/// 0: explained; 1: explained, and something was given up; 2: no job id; 3: the job, the controller
/// or a file is out of reach.
ExitCode run_explain(const ExplainOptions& options, SlurmClient& slurm, const Console& console);

}  // namespace yardmaster::cli
