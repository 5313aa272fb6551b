// A job's hints in its SPANK environment, where they outlive requeue, restart and array split.
#pragma once

#include "base/status.hpp"
#include "plugin/abi/slurm_abi.h"
#include "topology/hints.hpp"

namespace yardmaster {

/// The hints in force for `job`. A change that `scontrol update` announced is settled first: it
/// takes effect if Slurm accepted the features that came with it, and is dropped if it did not.
/// kMalformed when the stored words cannot be read. `info` is refreshed when something changed.
Result<Hints> settle_hints(ym_job* job, ym_job_info* info);

/// Announces that `hints` replace the job's when its features become `features`. An update carries
/// both at once and Slurm may still refuse the features, so the change waits for settle_hints.
void announce_hints(ym_job* job, const Hints& hints, const std::string& features);

}  // namespace yardmaster
