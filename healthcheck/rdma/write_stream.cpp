#include "healthcheck/rdma/write_stream.hpp"

#include "healthcheck/rdma/rdma_baseline.hpp"

namespace yardmaster {
namespace {

constexpr std::size_t kAtOnce = 32;
constexpr std::size_t kSmallWrite = 8;

}  // namespace

WriteStream::WriteStream(VerbsApi& verbs,
                         VerbsConnection& connection,
                         const StreamSettings& settings)
    : verbs_(verbs),
      connection_(connection),
      settings_(settings),
      sampler_(settings.window, settings.windows) {}

void WriteStream::fail(Status status) {
    status_ = std::move(status);
    phase_ = Phase::kFailed;
}

void WriteStream::post(bool notice) {
    const std::size_t part = posted_ % settings_.depth;
    Status status =
        connection_.post_write(part * settings_.message_bytes, settings_.message_bytes, notice);
    if (!status) {
        fail(std::move(status));
        return;
    }
    ++posted_;
}

void WriteStream::fill() {
    while (phase_ == Phase::kStreaming && posted_ - completed_ < settings_.depth) {
        post(false);
    }
}

void WriteStream::take(const RdmaCompletion& completion, std::chrono::nanoseconds now) {
    if (completion.status != kWcSuccess) {
        wc_status_ = wc_status_.value_or(completion.status);
        phase_ = Phase::kFailed;
        return;
    }
    ++completed_;
    sampler_.add(now, settings_.message_bytes);
}

void WriteStream::advance(std::chrono::nanoseconds now) {
    const bool idle = posted_ == completed_;
    if (phase_ == Phase::kStreaming && (sampler_.done() || now >= settings_.deadline)) {
        phase_ = Phase::kDraining;
    } else if (phase_ == Phase::kDraining && idle) {
        phase_ = Phase::kNotice;
        post(true);
    } else if (phase_ == Phase::kNotice && idle) {
        phase_ = Phase::kOver;
    } else if (now >= settings_.deadline + settings_.window * settings_.windows) {
        fail({ErrorCode::kTimeout, "the writes under way were not acknowledged in time"});
    }
}

bool WriteStream::step() {
    fill();
    RdmaCompletion completions[kAtOnce];
    const auto count = active() ? connection_.poll(completions) : Result<std::size_t>(0);
    if (!count) {
        fail(count.status());
        return false;
    }
    const auto now = verbs_.now();
    for (std::size_t i = 0; i < *count && active(); ++i) {
        take(completions[i], now);
    }
    if (active()) {
        advance(now);
    }
    return active();
}

Status wait_for_completion(VerbsApi& verbs,
                           VerbsConnection& connection,
                           std::chrono::nanoseconds deadline,
                           RdmaCompletion& completion) {
    while (true) {
        const auto count = connection.poll({&completion, 1});
        if (!count || *count > 0) {
            return count.status();
        }
        if (verbs.now() >= deadline) {
            return {ErrorCode::kTimeout, "no completion in time"};
        }
    }
}

Result<double> measure_latency(VerbsApi& verbs,
                               VerbsConnection& connection,
                               std::size_t writes,
                               std::chrono::nanoseconds deadline) {
    std::vector<double> microseconds;
    for (std::size_t i = 0; i < writes; ++i) {
        const auto begin = verbs.now();
        RdmaCompletion completion;
        Status status = connection.post_write(0, kSmallWrite, false);
        if (status) {
            status = wait_for_completion(verbs, connection, deadline, completion);
        }
        if (status.code() == ErrorCode::kTimeout && !microseconds.empty()) {
            break;
        }
        if (!status || completion.status != kWcSuccess) {
            return status ? Status(ErrorCode::kUnavailable, verbs.status_text(completion.status))
                          : status;
        }
        microseconds.push_back(
            std::chrono::duration<double, std::micro>(verbs.now() - begin).count());
    }
    return median_of(microseconds);
}

}  // namespace yardmaster
