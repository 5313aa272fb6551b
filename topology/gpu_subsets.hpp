// Sets of GPU indices of a given size, one by one.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "topology/index_set.hpp"

namespace yardmaster::gpu_subsets {

inline constexpr std::uint32_t kMaskBits = 64;

inline std::uint32_t count(GpuMask mask) {
    return static_cast<std::uint32_t>(std::popcount(mask));
}

/// The lowest `gpus` set bits of `mask`, which has as many.
inline GpuMask lowest_of(GpuMask mask, std::uint32_t gpus) {
    GpuMask result = 0;
    for (std::uint32_t i = 0; i < gpus; ++i) {
        result |= mask & -mask;
        mask &= mask - 1;
    }
    return result;
}

/// n over k, or anything above kMostSubsets when it is more than that.
inline std::uint64_t subsets(std::uint32_t n, std::uint32_t k) {
    std::uint64_t result = 1;
    for (std::uint32_t i = 1; i <= std::min(k, n - k); ++i) {
        result = result * (n - std::min(k, n - k) + i) / i;
        if (result > kMostSubsets) {
            return result;
        }
    }
    return result;
}

/// The bits of `compact` put at the places of the set bits of `mask`, lowest first.
inline GpuMask deposit(GpuMask compact, GpuMask mask) {
    GpuMask result = 0;
    for (; compact != 0 && mask != 0; compact >>= 1, mask &= mask - 1) {
        if ((compact & 1) != 0) {
            result |= mask & -mask;
        }
    }
    return result;
}

/// Calls `visit` with every set of `gpus` bits of `mask`, ascending.
template <typename Visit>
void each_subset(GpuMask mask, std::uint32_t gpus, Visit visit) {
    const GpuMask end = lowest_gpus(gpus) << (count(mask) - gpus);
    for (GpuMask set = lowest_gpus(gpus);;
         set = ((((set ^ (set + (set & -set))) >> 2) / (set & -set)) | (set + (set & -set)))) {
        visit(deposit(set, mask));
        if (set == end) {
            return;
        }
    }
}

/// Calls `visit` with the windows of `gpus` neighbouring indices inside `mask`, and its lowest.
template <typename Visit>
void each_window(GpuMask mask, std::uint32_t gpus, Visit visit) {
    for (std::uint32_t first = 0; first + gpus <= kMaskBits; ++first) {
        const GpuMask window = lowest_gpus(gpus) << first;
        if ((window & ~mask) == 0) {
            visit(window);
        }
    }
    visit(lowest_of(mask, gpus));
}

/// Calls `visit` with every set of `gpus` > 0 bits of `mask`, or its windows where they are too
/// many.
template <typename Visit>
void each_set(GpuMask mask, std::uint32_t gpus, Visit visit) {
    if (gpus == 0 || count(mask) < gpus) {
        return;
    }
    if (subsets(count(mask), gpus) <= kMostSubsets) {
        each_subset(mask, gpus, visit);
    } else {
        each_window(mask, gpus, visit);
    }
}

}  // namespace yardmaster::gpu_subsets
