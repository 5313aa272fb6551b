// Judges the job's GPUs: are they there, is their memory sound, what does the driver ask for?
#pragma once

#include <string>
#include <vector>

#include "healthcheck/gpu/gpu_reading.hpp"
#include "healthcheck/scope.hpp"
#include "healthcheck/verdict.hpp"

namespace yardmaster {

/// "GPU4": what findings call the GPU with device minor 4.
std::string gpu_name(unsigned minor);

/// The reading of the job's GPU with device minor `minor`; nullptr when none has it. Borrowed.
const GpuReading* find_gpu(const std::vector<GpuReading>& gpus, unsigned minor);

/// Whether every device that NVML counted has been read.
bool all_gpus_read(const NvmlReading& nvml, const std::vector<GpuReading>& gpus);

/// Findings for the scope's GPUs, in the scope's order; a pure function of its arguments.
std::vector<Finding> judge_gpus(const CheckScope& scope,
                                const NvmlReading& nvml,
                                const std::vector<GpuReading>& gpus);

}  // namespace yardmaster
