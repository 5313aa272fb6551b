// Reads GPUs through NVML.
#pragma once

#include "healthcheck/gpu/gpu_reading.hpp"
#include "healthcheck/gpu/nvml_api.hpp"

namespace yardmaster {

/// Starts NVML and reads driver and device count. Never fails: what could not be read says why.
NvmlReading read_nvml(NvmlApi& nvml);

/// Reads device `index` without its NVLinks, but with what its NVLink fabric says.
GpuReading read_gpu(NvmlApi& nvml, unsigned index);

}  // namespace yardmaster
