#include "healthcheck/rdma/pair_run.hpp"

namespace yardmaster {

PairRun::PairRun(VerbsApi& verbs, const MeasureSettings& settings, const RdmaPair& pair)
    : verbs_(verbs), settings_(settings), pair_(pair) {
    reading_.from.port = pair.from;
    reading_.to.port = pair.to;
    reading_.attempt = settings.attempt;
    reading_.message_bytes = settings.stream.message_bytes;
}

void PairRun::fail(const RdmaPort& port, const EndpointFailure& failure) {
    reading_.outcome = failure.outcome;
    reading_.failed_port = port_name(port);
    reading_.error = failure.error;
}

void PairRun::fail_pair(RdmaOutcome outcome, const std::string& error) {
    reading_.outcome = outcome;
    reading_.error = error;
}

bool PairRun::open(VerbsDevice& device,
                   const RdmaPort& port,
                   RdmaEndReading& reading,
                   std::optional<RdmaEndpoint>& end) {
    const StreamSettings& stream = settings_.stream;
    EndpointFailure failure;
    end = RdmaEndpoint::open(device,
                             {port,
                              stream.message_bytes * stream.depth,
                              stream.depth,
                              settings_.gpu_memory,
                              settings_.cuda_library,
                              settings_.sysfs_root},
                             reading,
                             failure);
    if (!end) {
        fail(port, failure);
    }
    return end.has_value();
}

bool PairRun::prepare(VerbsDevice& from, VerbsDevice& to) {
    return open(from, pair_.from, reading_.from, sender_) &&
           open(to, pair_.to, reading_.to, receiver_) && connect();
}

/// The end that reaches less far than the other: their addresses cannot meet. Empty: they can.
std::string PairRun::lagging_end() const {
    const auto from = parse_gid_scope(reading_.from.gid_scope);
    const auto to = parse_gid_scope(reading_.to.gid_scope);
    if (!from || !to || (*from == GidScope::kLinkLocal) == (*to == GidScope::kLinkLocal)) {
        return "";
    }
    return port_name(*from == GidScope::kLinkLocal ? pair_.from : pair_.to);
}

bool PairRun::connect() {
    reading_.failed_port = lagging_end();
    if (!reading_.failed_port.empty()) {
        fail_pair(RdmaOutcome::kNoGid,
                  reading_.failed_port +
                      " has only a link-local GID, the other end a routable one: has its network "
                      "interface lost its address?");
        return false;
    }
    const RdmaAddress sender = sender_->address();
    const RdmaAddress receiver = receiver_->address();
    Status status = sender_->buffer().fill(pattern_seed(sender));
    if (status) {
        status = receiver_->connection().connect(sender, settings_.patience);
    }
    if (status) {
        status = receiver_->connection().post_receive();
    }
    if (status) {
        status = sender_->connection().connect(receiver, settings_.patience);
    }
    if (!status) {
        fail_pair(
            status.code() == ErrorCode::kTimeout ? RdmaOutcome::kUnreachable : RdmaOutcome::kFailed,
            status.message());
        return false;
    }
    stream_.emplace(verbs_, sender_->connection(), settings_.stream);
    return true;
}

bool PairRun::step() {
    return stream_->step();
}

void PairRun::explain_broken_stream() {
    const auto& wc_status = stream_->wc_status();
    if (!wc_status) {
        const bool late = stream_->status().code() == ErrorCode::kTimeout;
        fail_pair(late ? RdmaOutcome::kTooSlow : RdmaOutcome::kFailed, stream_->status().message());
        return;
    }
    reading_.wc_status = *wc_status;
    reading_.wc_text = verbs_.status_text(*wc_status);
    const bool answered = stream_->completed() > 0;
    fail_pair(
        *wc_status == kWcRetryExceeded && !answered ? RdmaOutcome::kUnreachable
                                                    : RdmaOutcome::kBroken,
        "after " + std::to_string(stream_->completed()) + " good writes: " + reading_.wc_text);
}

bool PairRun::data_arrived(std::chrono::nanoseconds deadline) {
    RdmaCompletion notice;
    Status status = wait_for_completion(verbs_, receiver_->connection(), deadline, notice);
    if (!status || notice.status != kWcSuccess || !notice.received) {
        fail_pair(RdmaOutcome::kFailed,
                  "the receiver got no notice of the last write: " +
                      (status ? verbs_.status_text(notice.status) : status.message()));
        return false;
    }
    const auto right =
        receiver_->buffer().holds(pattern_seed(sender_->address()), stream_->bytes_used());
    if (!right || !*right) {
        fail_pair(right ? RdmaOutcome::kBadData : RdmaOutcome::kFailed,
                  right ? "other data arrived than were sent" : right.status().message());
        return false;
    }
    return true;
}

void PairRun::conclude(std::chrono::nanoseconds deadline) {
    reading_.gbps = stream_->sampler().gbps();
    if (!stream_->whole()) {
        explain_broken_stream();
        return;
    }
    if (!data_arrived(deadline)) {
        return;
    }
    reading_.outcome = RdmaOutcome::kMeasured;
    const auto latency =
        measure_latency(verbs_, sender_->connection(), settings_.latency_writes, deadline);
    if (latency) {
        reading_.latency_us = *latency;
    }
}

}  // namespace yardmaster
