// The error counters of a GPU, by name: what baselines and proven passes keep of it.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "healthcheck/gpu/gpu_reading.hpp"

namespace yardmaster {

inline constexpr const char* kPcieReplays = "pcie replays";

/// "crc 7": the count of NvlinkField::name `field` on NVLink `link`.
std::string link_counter_name(std::string_view field, std::size_t link);

/// Every counter that NVML gave a number for: kPcieReplays, "uncorrected ecc", and the counts of
/// each NVLink. All begin at 0 when the driver is loaded.
std::map<std::string, std::uint64_t> gpu_counters(const GpuReading& gpu);

}  // namespace yardmaster
