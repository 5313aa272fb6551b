#include "healthcheck/rdma/pair_half.hpp"

namespace yardmaster {
namespace {

/// Each write goes to its own part of the peer's buffer, and the receiver looks at all of its own.
Status same_buffers(const RdmaAddress& own, const RdmaAddress& peer) {
    return own.buffer_bytes == peer.buffer_bytes
               ? Status::ok()
               : Status(ErrorCode::kInvalidArgument,
                        "the other end has a buffer of " + std::to_string(peer.buffer_bytes) +
                            " bytes, this one of " + std::to_string(own.buffer_bytes) +
                            ": size and number of writes must be the same at both");
}

}  // namespace

std::optional<RdmaEndpoint> open_end(VerbsDevice& device,
                                     const RdmaPort& port,
                                     const MeasureSettings& settings,
                                     RdmaEndReading& reading,
                                     EndpointFailure& failure) {
    const StreamSettings& stream = settings.stream;
    return RdmaEndpoint::open(device,
                              {port,
                               stream.message_bytes * stream.depth,
                               stream.depth,
                               settings.gpu_memory,
                               settings.cuda_library,
                               settings.sysfs_root},
                              reading,
                              failure);
}

RdmaOutcome outcome_of_connect(const Status& status) {
    return status.code() == ErrorCode::kTimeout ? RdmaOutcome::kUnreachable : RdmaOutcome::kFailed;
}

Status SendingHalf::connect(const RdmaAddress& receiver) {
    Status status = same_buffers(address(), receiver);
    if (status) {
        status = end_.buffer().fill(pattern_seed(address()));
    }
    return status ? end_.connection().connect(receiver, settings_.patience) : status;
}

void SendingHalf::begin(std::chrono::nanoseconds deadline) {
    StreamSettings stream = settings_.stream;
    stream.deadline = deadline;
    stream_.emplace(verbs_, end_.connection(), stream);
}

void SendingHalf::explain_broken_stream(SendResult& result) const {
    const auto& wc_status = stream_->wc_status();
    const bool answered = stream_->completed() > 0;
    const std::string good = "after " + std::to_string(stream_->completed()) + " good writes: ";
    if (!wc_status) {
        const bool late = stream_->status().code() == ErrorCode::kTimeout;
        result.outcome = !late      ? RdmaOutcome::kFailed
                         : answered ? RdmaOutcome::kBroken
                                    : RdmaOutcome::kTooSlow;
        result.error = (answered ? good : "") + stream_->status().message();
        return;
    }
    result.wc_status = *wc_status;
    result.wc_text = verbs_.status_text(*wc_status);
    result.outcome = *wc_status == kWcRetryExceeded && !answered ? RdmaOutcome::kUnreachable
                                                                 : RdmaOutcome::kBroken;
    result.error = good + result.wc_text;
}

SendResult SendingHalf::result() const {
    SendResult result;
    result.gbps = stream_->sampler().gbps();
    if (stream_->whole()) {
        result.outcome = RdmaOutcome::kMeasured;
    } else {
        explain_broken_stream(result);
    }
    return result;
}

std::optional<double> SendingHalf::latency_us(std::chrono::nanoseconds deadline) {
    const auto latency =
        measure_latency(verbs_, end_.connection(), settings_.latency_writes, deadline);
    return latency ? std::optional(*latency) : std::nullopt;
}

Status ReceivingHalf::connect(const RdmaAddress& sender) {
    seed_ = pattern_seed(sender);
    Status status = same_buffers(address(), sender);
    if (status) {
        status = end_.connection().connect(sender, settings_.patience);
    }
    return status ? end_.connection().post_receive() : status;
}

bool ReceivingHalf::step() {
    RdmaCompletion notice;
    const auto count = end_.connection().poll({&notice, 1});
    if (count && *count == 0) {
        return true;
    }
    const bool came = count && notice.status == kWcSuccess && notice.received;
    const auto why = [&] {
        return count ? verbs_.status_text(notice.status) : count.status().message();
    };
    trouble_ = came ? "" : why();
    return false;
}

ReceiveResult ReceivingHalf::result() {
    if (!trouble_.empty()) {
        return {RdmaOutcome::kFailed, "no notice of the last write: " + trouble_};
    }
    const auto right = end_.buffer().holds(seed_);
    if (!right) {
        return {RdmaOutcome::kFailed, right.status().message()};
    }
    return *right ? ReceiveResult{RdmaOutcome::kMeasured, ""}
                  : ReceiveResult{RdmaOutcome::kBadData, "other data arrived than were sent"};
}

void run_streams(std::vector<SendingHalf*> going) {
    while (!going.empty()) {
        std::erase_if(going, [](SendingHalf* half) { return !half->step(); });
    }
}

void wait_for_notices(VerbsApi& verbs,
                      std::vector<ReceivingHalf*> waiting,
                      std::chrono::nanoseconds deadline) {
    while (!waiting.empty()) {
        std::erase_if(waiting, [](ReceivingHalf* half) { return !half->step(); });
        if (verbs.now() >= deadline) {
            return;
        }
    }
}

}  // namespace yardmaster
