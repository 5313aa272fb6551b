// GPUs of a job that somebody else computes on already: no load may be put on them, and what would
// be measured there says nothing of links.
//
// A prolog cannot tell a job with shards (gres/shard) or MPS shares from one with whole GPUs:
// slurmd gives it the GPUs in SLURM_JOB_GPUS either way, and no number of shards (gres_shard.c,
// gres_p_prep_set_env, in 22.05 gres_p_epilog_set_env). But the job itself does not run yet, so a
// process that computes on its GPU is of another job, or left over from one.
#pragma once

#include <string>
#include <vector>

#include "healthcheck/gpu/gpu_reading.hpp"
#include "healthcheck/scope.hpp"

namespace yardmaster {

/// Says which GPUs of `scope`, by minor, have such processes; "" when none has, or NVML does not
/// tell.
std::string describe_busy(const CheckScope& scope, const std::vector<GpuReading>& gpus);

/// `scope` without the rails of such GPUs.
CheckScope without_busy_rails(const CheckScope& scope, const std::vector<GpuReading>& gpus);

}  // namespace yardmaster
