// What a site may set of the NCCL check: `health.nccl` in yardmaster.json.
#pragma once

#include <chrono>
#include <string>

#include "healthcheck/check_mode.hpp"

namespace yardmaster {

/// Where the numbers come from: docs/nccl.md has the whole calculation. The best of four windows,
/// over the median of three to five earlier runs' best, is 1 with a standard deviation of 0.83
/// times that of one window: 1.7 % at 2 % a window, which is more than all-reduce over NVLink
/// shows on a quiet node. With max_loss 8 % a false alarm is 4.8 deviations away and a loss of 15 %
/// is seen 4.6 deviations below; both are measured twice.
struct NcclPolicy {
    CheckMode mode = CheckMode::kAuto;
    std::string cuda_library = "libcuda.so.1";  ///< a name or path for dlopen
    std::string library = "libnccl.so.2";       ///< a name or path for dlopen
    std::string probe = YM_LIBEXEC_DIR "/yardmaster-nccl-probe";
    /// Contexts and communicators of eight GPUs take 2.3 to 3.7 s, and in a first run up to 50 s.
    std::chrono::milliseconds max_init{4000};
    /// Degraded: this share of what the same GPUs did before is lost.
    double max_loss = 0.08;
    /// A suspicion before there is a baseline: less than this share of public figures. 0: none.
    double min_share = 0.60;
};

}  // namespace yardmaster
