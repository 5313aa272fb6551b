#include "healthcheck/nccl/nccl_measure.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "healthcheck/nccl/busbw_judge.hpp"
#include "healthcheck/nccl/sum_check.hpp"

namespace yardmaster {
namespace {

/// Kept free at the end for the last all-reduce and its check.
constexpr std::chrono::milliseconds kForSums{150};
/// More launches than this are not queued at once.
constexpr unsigned kMostIterations = 1000;

class NcclMeasurement {
  public:
    NcclMeasurement(NcclSession& session,
                    const NcclSettings& settings,
                    const NcclSinks& sinks,
                    NcclAttempt& attempt)
        : session_(session), settings_(settings), sinks_(sinks), attempt_(attempt) {}

    NcclFailure run() {
        NcclFailure failure = allocate();
        for (unsigned pass = 1; !failure && pass <= settings_.passes; ++pass) {
            failure = run_pass(pass);
        }
        return failure ? failure : verify();
    }

  private:
    /// Room for the largest size that the GPUs' memory has room for.
    NcclFailure allocate() {
        NcclFailure failure{NcclFault::kFailed, "no message size to measure"};
        sizes_ = settings_.sizes;
        while (failure && !sizes_.empty()) {
            sinks_.step("allocate " + size_text(sizes_.back()));
            failure = session_.allocate(sizes_.back());
            if (failure.fault != NcclFault::kNoMemory) {
                return failure;
            }
            sizes_.pop_back();
        }
        return failure;
    }

    NcclFailure run_pass(unsigned pass) {
        for (const std::uint64_t bytes : sizes_) {
            if (!time_for(bytes)) {
                return {};
            }
            sinks_.step("all-reduce of " + size_text(bytes));
            if (NcclFailure failure = run_size(bytes, pass)) {
                return failure;
            }
        }
        return {};
    }

    /// The first size has to be tried; of the others it is known from the one before about how long
    /// one all-reduce takes.
    bool time_for(std::uint64_t bytes) const {
        if (seconds_.empty()) {
            return Clock::now() < settings_.deadline;
        }
        const auto known = std::prev(seconds_.upper_bound(bytes));
        const double once =
            known->second * static_cast<double>(bytes) / static_cast<double>(known->first);
        const double window = std::chrono::duration<double>(settings_.window).count();
        const double all = (settings_.windows + 2) * std::max(2 * once, window);
        return Clock::now() + std::chrono::duration<double>(all) < settings_.deadline - kForSums;
    }

    NcclFailure timed(std::uint64_t bytes, unsigned iterations, double& seconds) {
        NcclFailure failure = session_.launch(bytes, iterations);
        failure = failure ? failure : session_.wait(settings_.deadline);
        return failure ? failure : session_.elapsed(seconds);
    }

    NcclFailure run_size(std::uint64_t bytes, unsigned pass) {
        double once = 0;
        NcclFailure failure;
        if (seconds_.count(bytes) == 0) {
            failure = timed(bytes, 1, once);  // NCCL connects on first use
        }
        failure = failure ? failure : timed(bytes, 1, once);
        if (failure) {
            return failure;
        }
        once = std::max(once, 1e-6);
        seconds_[bytes] = once;
        const double window = std::chrono::duration<double>(settings_.window).count();
        NcclBandwidth result{bytes, pass, 0, {}};
        result.iterations = static_cast<unsigned>(
            std::clamp(std::ceil(window / once), 1.0, double{kMostIterations}));
        return run_windows(result);
    }

    NcclFailure run_windows(NcclBandwidth& result) {
        const auto ranks = static_cast<double>(session_.ranks());
        const double moved = static_cast<double>(result.bytes) * 2 * (ranks - 1) / ranks;
        for (unsigned i = 0; i < settings_.windows; ++i) {
            double seconds = 0;
            if (NcclFailure failure = timed(result.bytes, result.iterations, seconds)) {
                return failure;
            }
            result.busbw.push_back(moved * result.iterations / std::max(seconds, 1e-9) / 1e9);
        }
        sinks_.size(result);
        return {};
    }

    NcclFailure verify() {
        if (seconds_.empty()) {
            return {NcclFault::kHung, "no time was left to measure after the setup"};
        }
        const std::uint64_t bytes = seconds_.rbegin()->first;
        sinks_.step("verify the sums of " + size_text(bytes));
        NcclFailure failure = session_.spoil_outputs();
        failure = failure ? failure : session_.launch(bytes, 1);
        failure = failure ? failure : session_.wait(settings_.deadline);
        failure = failure ? failure : check_sums(session_, bytes, attempt_);
        if (!failure) {
            sinks_.sums(attempt_);
        }
        return failure;
    }

    NcclSession& session_;
    const NcclSettings& settings_;
    const NcclSinks& sinks_;
    NcclAttempt& attempt_;
    std::vector<std::uint64_t> sizes_;
    std::map<std::uint64_t, double> seconds_;  ///< [bytes] of one all-reduce, about
};

}  // namespace

NcclFailure measure_nccl(CudaApi& cuda,
                         NcclApi& nccl,
                         const NcclSettings& settings,
                         const NcclSinks& sinks,
                         NcclAttempt& attempt) {
    NcclSession session(cuda, nccl);
    sinks.step("contexts");
    NcclFailure failure = session.open_gpus(settings.uuids, attempt);
    if (!failure) {
        sinks.step("communicators");
        failure = session.open_communicators(attempt);
    }
    sinks.setup(attempt);
    sinks.initialised();
    if (!failure) {
        failure = NcclMeasurement(session, settings, sinks, attempt).run();
    }
    if (failure.fault != NcclFault::kHung) {
        sinks.step("free");
        session.close();
    }
    return failure;
}

}  // namespace yardmaster
