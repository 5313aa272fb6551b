// Judges the NVLinks of the job's GPUs against what their model has: links, fabric, error rates,
// peers.
#pragma once

#include <vector>

#include "healthcheck/gpu/gpu_reading.hpp"
#include "healthcheck/scope.hpp"
#include "healthcheck/verdict.hpp"

namespace yardmaster {

/// Findings for the scope's GPUs that have a reading, in the scope's order; a pure function of its
/// arguments. GPUs without a reading are the gpu check's business. A link that answers with an
/// error is unknown, never down.
std::vector<Finding> judge_nvlinks(const CheckScope& scope, const std::vector<GpuReading>& gpus);

}  // namespace yardmaster
