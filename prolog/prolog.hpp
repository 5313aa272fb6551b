// One prolog run, from slurmd's environment to the exit status.
#pragma once

#include "prolog/environment.hpp"

namespace yardmaster {

/// The job may start / must not start here (slurmd drains the node and requeues the job).
inline constexpr int kExitStart = 0;
inline constexpr int kExitRefuse = 1;

/// Checks the job's GPUs and rails, keeps evidence, and drains a degraded node. Refuses only a node
/// that is found degraded and is out of service in Slurm; whatever goes wrong otherwise lets the
/// job start. Ends within the policy's deadline. Forks: call it from a single-threaded process.
int run_prolog(const Environment& environment);

}  // namespace yardmaster
