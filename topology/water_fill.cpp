#include "topology/water_fill.hpp"

#include <algorithm>

namespace yardmaster {
namespace {

std::uint64_t filled(std::span<const ShareBounds> bounds, std::uint32_t level) {
    std::uint64_t sum = 0;
    for (const ShareBounds& bound : bounds) {
        sum += std::clamp(level, bound.low, bound.high);
    }
    return sum;
}

}  // namespace

std::vector<std::uint32_t> water_fill(std::span<const ShareBounds> bounds, std::uint32_t total) {
    std::uint32_t level = 0;  // the highest that does not overflow
    std::uint32_t above = total + 1;
    while (above - level > 1) {
        const std::uint32_t middle = level + (above - level) / 2;
        (filled(bounds, middle) <= total ? level : above) = middle;
    }
    const std::uint64_t used = filled(bounds, level);
    std::uint64_t left = total > used ? total - used : 0;
    std::vector<std::uint32_t> shares;
    for (const ShareBounds& bound : bounds) {
        std::uint32_t share = std::clamp(level, bound.low, bound.high);
        if (left > 0 && share == level && share < bound.high) {
            share += 1;
            left -= 1;
        }
        shares.push_back(share);
    }
    return shares;
}

}  // namespace yardmaster
