// Is all-reduce as fast as it was?
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "healthcheck/nccl/nccl_reading.hpp"

namespace yardmaster {

/// One message size that came out too slow.
struct SlowSize {
    enum class Proof {
        kUnsure,     ///< below fewer earlier runs than a baseline has
        kPublished,  ///< below public figures, and there is no baseline
        kOnce,       ///< below the baseline, measured once
        kShared,     ///< below the baseline, but NcclReading::shared_ways
        kRepeated,   ///< below the baseline, measured again, below it again
    };
    std::uint64_t bytes = 0;
    double busbw = 0;      ///< the better pass, GB/s
    double expected = 0;   ///< GB/s
    std::size_t runs = 0;  ///< earlier runs that `expected` is the median of; 0: published
    Proof proof = Proof::kUnsure;
};

/// The sizes of `attempt` that are too slow, in the order in which they were measured.
std::vector<SlowSize> slow_sizes(const NcclReading& reading, const NcclAttempt& attempt);

/// "64 MiB".
std::string size_text(std::uint64_t bytes);

}  // namespace yardmaster
