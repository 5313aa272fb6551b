// Reads NVLinks, their fabric and their peers through NVML.
#pragma once

#include "healthcheck/gpu/gpu_reading.hpp"
#include "healthcheck/gpu/nvml_api.hpp"

namespace yardmaster {

/// Reads the state of every link of device `reading.index` into `reading.nvlinks`, how many of them
/// end at an NVSwitch, and whether NVLink reaches each of the other devices: `devices` of them are
/// listed. Does nothing when the device's handle could not be had.
void read_nvlinks(NvmlApi& nvml, unsigned devices, GpuReading& reading);

/// Reads error counters and error rates of the links that read_nvlinks found; a field that no link
/// supports is left out. The slowest of all GPU readings, so the last.
void read_nvlink_fields(NvmlApi& nvml, GpuReading& reading);

}  // namespace yardmaster
