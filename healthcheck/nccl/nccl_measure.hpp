// The measuring part of the NCCL probe.
#pragma once

#include <cstdint>
#include <functional>

#include "healthcheck/nccl/nccl_session.hpp"

namespace yardmaster {

struct NcclSettings {
    std::vector<std::string> uuids;  ///< [rank] the GPUs, as CUDA_VISIBLE_DEVICES has them
    /// Message sizes, ascending. The smallest is cheapest; only the largest comes near the peak.
    std::vector<std::uint64_t> sizes = {
        std::uint64_t{64} << 20, std::uint64_t{256} << 20, std::uint64_t{1} << 30};
    /// Each size is measured this often, with all others between.
    unsigned passes = 2;
    unsigned windows = 4;                 ///< of one size in one pass
    std::chrono::milliseconds window{8};  ///< shortest length of one
    Clock::time_point deadline;           ///< no size is begun that would end later
};

/// Where results go as they come.
struct NcclSinks {
    std::function<void(const std::string&)> step;  ///< what is begun next
    std::function<void(const NcclAttempt&)> setup;
    std::function<void(const NcclBandwidth&)> size;
    std::function<void(const NcclAttempt&)> sums;
    /// Called once the communicators are there: what follows is short.
    std::function<void()> initialised;
};

/// Makes contexts and communicators, measures what the time allows, verifies a last all-reduce, and
/// frees everything. Both libraries are loaded. What failed ends it; what came before was sent.
NcclFailure measure_nccl(CudaApi& cuda,
                         NcclApi& nccl,
                         const NcclSettings& settings,
                         const NcclSinks& sinks,
                         NcclAttempt& attempt);

}  // namespace yardmaster
