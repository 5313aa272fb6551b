// What a site may set of the RDMA check: `health.rdma` in yardmaster.json.
#pragma once

#include <string>

#include "healthcheck/check_mode.hpp"

namespace yardmaster {

/// Where the numbers come from (docs/rdma.md has the whole calculation). A healthy link's best
/// window of four, over the median of earlier ones, is 1 with a standard deviation of 0.7 times
/// that of one window: 1.1 % at 1.5 % a window, which is more than idle NDR and HDR fabrics show.
/// With max_loss 8 % a false alarm is 7 deviations away, and a loss of 15 % lies 7 below the limit;
/// with 3.3 % a window both still hold (0.05 false alarms in 100,000 readings that were taken
/// twice, 99.9 % of the losses seen).
struct RdmaPolicy {
    CheckMode mode = CheckMode::kAuto;
    std::string library = "libibverbs.so.1";  ///< a name or path for dlopen
    std::string probe = YM_LIBEXEC_DIR "/yardmaster-rdma-probe";
    bool gpu_memory = false;                    ///< measure from GPU memory where that can be had
    std::string cuda_library = "libcuda.so.1";  ///< for that
    unsigned traffic_class = 0;                 ///< RoCE: the DSCP and ECN byte
    /// Degraded: this share of what the pair did before is lost.
    double max_loss = 0.08;
    /// Degraded before there is a baseline: less than this share of what the port's rate carries in
    /// payload, while another pair of the node does better. HDR reaches 97 %, NDR 99 %.
    double min_share = 0.90;
};

}  // namespace yardmaster
