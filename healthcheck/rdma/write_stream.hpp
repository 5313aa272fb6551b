// The sending side of a measurement: many writes under way at once, then one with a notice.
#pragma once

#include <optional>

#include "healthcheck/rdma/rate_sampler.hpp"
#include "healthcheck/rdma/verbs_api.hpp"

namespace yardmaster {

struct StreamSettings {
    std::size_t message_bytes = 1 << 20;
    unsigned depth = 8;  ///< writes under way; each has its own part of the buffer
    /// 20 ms are 1 GB at 400 Gb/s: some thousand round trips, and longer than what a scheduler's
    /// tick or an interrupt takes from it.
    std::chrono::nanoseconds window{20'000'000};
    std::size_t windows = 4;
    std::chrono::nanoseconds deadline{0};  ///< by the clock of VerbsApi::now()
};

/// Runs on a connected connection; whoever owns several steps them in turn.
class WriteStream {
  public:
    WriteStream(VerbsApi& verbs, VerbsConnection& connection, const StreamSettings& settings);

    /// Posts what may be under way and takes what is completed. False once it is over: notice sent
    /// and acknowledged, an error, or the deadline.
    bool step();

    const RateSampler& sampler() const { return sampler_; }
    std::size_t completed() const { return completed_; }  ///< writes that were acknowledged
    /// Came to its end without an error. Then all parts of the buffer were written, however little
    /// time there was: the first step posts `depth` writes before it looks at the clock.
    bool whole() const { return phase_ == Phase::kOver; }
    const std::optional<int>& wc_status() const { return wc_status_; }  ///< of the first error
    const Status& status() const { return status_; }                    ///< of a call that failed

  private:
    enum class Phase { kStreaming, kDraining, kNotice, kOver, kFailed };

    void post(bool notice);
    void fill();
    void take(const RdmaCompletion& completion, std::chrono::nanoseconds now);
    void advance(std::chrono::nanoseconds now);
    bool active() const { return phase_ != Phase::kOver && phase_ != Phase::kFailed; }
    void fail(Status status);

    VerbsApi& verbs_;
    VerbsConnection& connection_;
    StreamSettings settings_;
    RateSampler sampler_;
    Phase phase_ = Phase::kStreaming;
    std::size_t posted_ = 0;
    std::size_t completed_ = 0;
    std::optional<int> wc_status_;
    Status status_;
};

/// Waits for one completion of `connection`. kTimeout at `deadline`; `completion` may bear an
/// error.
Status wait_for_completion(VerbsApi& verbs,
                           VerbsConnection& connection,
                           std::chrono::nanoseconds deadline,
                           RdmaCompletion& completion);

/// The median time of a small write until its acknowledgement, in microseconds, of `writes` one
/// after the other; fewer, but at least one, when the deadline comes first. kUnavailable on an
/// error completion, kTimeout without any.
Result<double> measure_latency(VerbsApi& verbs,
                               VerbsConnection& connection,
                               std::size_t writes,
                               std::chrono::nanoseconds deadline);

}  // namespace yardmaster
