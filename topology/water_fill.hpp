// Even shares under bounds.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace yardmaster {

/// What one taker may have.
struct ShareBounds {
    std::uint32_t low = 0;
    std::uint32_t high = 0;  ///< at least low
};

/// Splits `total` over takers so that the largest share is as small and the smallest as large as
/// the bounds allow; what does not divide goes to the first ones. `total` lies between the sums of
/// the bounds.
std::vector<std::uint32_t> water_fill(std::span<const ShareBounds> bounds, std::uint32_t total);

}  // namespace yardmaster
