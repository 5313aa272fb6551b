// `yardmaster resume`: takes a drain of our own back, after a re-check that found the node healthy.
#pragma once

#include <string>

#include "cli/console.hpp"
#include "cli/slurm_client.hpp"

namespace yardmaster::cli {

struct ResumeOptions {
    std::string node;
    std::string evidence_dir;  ///< "": the policy's folder for the node
};

/// 0: resumed, or in service already; 1: refused, the reason is printed; 3: no such node, its
/// evidence cannot be read here, or slurmctld does not answer. A drain that is somebody else's, or
/// whose reason was edited, is never touched.
ExitCode run_resume(const ResumeOptions& options, SlurmClient& slurm, const Console& console);

}  // namespace yardmaster::cli
