// The health mask of an NVLink fabric, taken apart.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace yardmaster {

/// One condition of the mask that holds.
struct FabricCondition {
    std::string_view short_text;  ///< for the drain reason, at most 12 characters
    std::string_view meaning;     ///< "the GPU's NVLink bandwidth is degraded"
    /// The fabric is repairing itself: true now, but perhaps not a second later.
    bool passing = false;
};

/// The conditions that `mask` (nvmlGpuFabricInfoV_t::healthMask) reports as being so; fields that
/// the driver does not support say nothing.
std::vector<FabricCondition> fabric_conditions(std::uint32_t mask);

}  // namespace yardmaster
