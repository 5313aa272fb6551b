// NCCL readings for tests.
#pragma once

#include <cstdint>

#include "healthcheck/nccl/nccl_reading.hpp"

namespace yardmaster::testing {

inline constexpr std::uint64_t kNcclMiB = std::uint64_t{1} << 20;

/// Eight GPUs, asked for, with one attempt that came to its end with right sums and no size yet.
inline NcclReading nccl_reading() {
    NcclReading reading;
    reading.asked = true;
    reading.max_loss = 0.08;
    reading.min_share = 0.6;
    reading.model = "NVIDIA H100 80GB HBM3";
    reading.driver = "550.54.15";
    for (int i = 0; i < 8; ++i) {
        reading.uuids.push_back("GPU-" + std::to_string(i));
    }
    NcclAttempt attempt;
    attempt.cuda = "12.4";
    attempt.nccl = "2.28.9";
    attempt.sums = NcclSums::kRight;
    attempt.ended = true;
    reading.attempts.push_back(attempt);
    return reading;
}

/// Adds a pass over one size whose best window is `busbw`.
inline void add_pass(NcclReading& reading, std::uint64_t bytes, unsigned pass, double busbw) {
    reading.attempts.back().sizes.push_back({bytes, pass, 4, {busbw * 0.97, busbw}});
}

/// Adds a baseline of `runs` runs of `busbw` for `bytes`.
inline void add_baseline(NcclReading& reading,
                         std::uint64_t bytes,
                         double busbw,
                         std::size_t runs) {
    reading.baselines.push_back(
        {conditions_of(reading, reading.attempts.back(), bytes), std::vector<double>(runs, busbw)});
}

}  // namespace yardmaster::testing
