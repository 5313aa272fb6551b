// The passive checks of a whole node between jobs: as HealthCheckProgram= or Epilog=.
#pragma once

#include "prolog/environment.hpp"

namespace yardmaster {

/// Checks all GPUs and rails that the fabric file gives this node, jobs or none on them, within the
/// policy's deadline. A degraded node is drained by the prolog's rules; running jobs go on. slurmd
/// calls this every few minutes, on drained nodes too, so only what is new is kept and logged.
/// Always 0: slurmd would drain the node for an Epilog that fails.
int run_passive(const Environment& environment);

}  // namespace yardmaster
