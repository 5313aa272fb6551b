// Reads GPUs through NVML.
#pragma once

#include <functional>

#include "healthcheck/gpu/gpu_reading.hpp"
#include "healthcheck/gpu/nvml_api.hpp"

namespace yardmaster {

/// Starts NVML and reads driver and device count. Never fails: what could not be read says why.
NvmlReading read_nvml(NvmlApi& nvml);

/// Reads device `index` without its NVLinks.
GpuReading read_gpu(NvmlApi& nvml, unsigned index);

/// Reads the state of every link of device `reading.index` into `reading.nvlinks`; does nothing
/// when the device's handle could not be had.
void read_nvlinks(NvmlApi& nvml, GpuReading& reading);

}  // namespace yardmaster
