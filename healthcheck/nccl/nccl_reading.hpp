// What the NCCL probe measured, unjudged.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "healthcheck/nccl/nccl_baseline.hpp"
#include "healthcheck/nccl/nccl_fault.hpp"

namespace yardmaster {

/// One message size, measured once.
struct NcclBandwidth {
    std::uint64_t bytes = 0;
    unsigned pass = 1;          ///< 2: measured again, after all sizes of the first pass
    unsigned iterations = 0;    ///< all-reduces in one window
    std::vector<double> busbw;  ///< of each window, bytes / time * 2(n-1)/n in GB/s; not empty
};

/// Whether the sums came out right.
enum class NcclSums { kNotChecked, kRight, kWrong };

/// "not-checked", "right", "wrong".
std::string_view to_string(NcclSums sums);

/// One GPU as CUDA shows it to the probe.
struct NcclGpu {
    std::string uuid;
    std::string name;
};

/// One run of the probe.
struct NcclAttempt {
    std::string cuda;                  ///< the CUDA version of the driver, "13.0"
    std::string nccl;                  ///< "2.28.9"
    std::string site_conf;             ///< fingerprint of /etc/nccl.conf
    std::vector<NcclGpu> gpus;         ///< [rank]
    double context_ms = 0;             ///< cuInit and the GPUs' contexts
    double init_ms = 0;                ///< ncclCommInitAll; no part of any bandwidth
    std::string warning;               ///< NCCL's newest warning though it went on; "" without one
    std::vector<NcclBandwidth> sizes;  ///< in the order in which they were measured
    NcclSums sums = NcclSums::kNotChecked;
    std::string sums_detail;  ///< what was wrong, and where
    NcclFault fault = NcclFault::kNone;
    std::string error;   ///< one sentence for `fault`
    std::string step;    ///< what was begun last: where it stands if it hangs
    bool ended = false;  ///< the probe came to its end and freed everything
};

/// The whole check: what was to be measured, under which limits, and what came.
struct NcclReading {
    bool asked = false;   ///< the check was to run; else the rest is of no meaning
    bool needed = false;  ///< the policy says "on": not run is a finding
    std::string not_run;  ///< why it did not run; "" when it did
    std::string note;     ///< why earlier runs could not be used; "" when they could
    double max_loss = 0;  ///< the policy's limits: see NcclPolicy
    double min_share = 0;
    std::string model;   ///< NVML's words
    std::string driver;  ///< NVML's words
    std::string set;     ///< NcclConditions::set
    /// No NVSwitch joins the GPUs, and others of the node are not the job's: traffic of other jobs
    /// may take the same ways.
    bool shared_ways = false;
    std::vector<std::string> uuids;       ///< [rank] the GPUs that were asked for
    std::vector<NcclBaseline> baselines;  ///< what was kept of earlier runs of such GPUs
    std::vector<NcclAttempt> attempts;
    /// Of earlier runs, those that still count. No verdict depends on these two, and the evidence
    /// leaves them out.
    std::vector<NcclStart> starts;
    std::chrono::milliseconds start_limit{0};  ///< time that the last attempt's start had
};

/// What a bandwidth of `attempt` may be compared with.
NcclConditions conditions_of(const NcclReading& reading,
                             const NcclAttempt& attempt,
                             std::uint64_t bytes);

/// The best window, in GB/s.
double best_busbw(const NcclBandwidth& bandwidth);

}  // namespace yardmaster
