// Judges the job's GPUs: are they there, and is their memory sound?
#pragma once

#include <vector>

#include "healthcheck/gpu/gpu_reading.hpp"
#include "healthcheck/scope.hpp"
#include "healthcheck/verdict.hpp"

namespace yardmaster {

/// The reading of the job's GPU with device minor `minor`; nullptr when none has it. Borrowed.
const GpuReading* find_gpu(const std::vector<GpuReading>& gpus, unsigned minor);

/// Whether every device that NVML counted has been read.
bool all_gpus_read(const NvmlReading& nvml, const std::vector<GpuReading>& gpus);

/// Findings for the scope's GPUs, in the scope's order; a pure function of its arguments.
std::vector<Finding> judge_gpus(const CheckScope& scope,
                                const NvmlReading& nvml,
                                const std::vector<GpuReading>& gpus);

}  // namespace yardmaster
