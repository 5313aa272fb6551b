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

template <typename Half>
bool PairRun::open(VerbsDevice& device, RdmaEndReading& reading, std::optional<Half>& half) {
    EndpointFailure failure;
    auto end = open_end(device, reading.port, settings_, reading, failure);
    if (!end) {
        fail(reading.port, failure);
        return false;
    }
    half.emplace(verbs_, settings_, std::move(*end));
    return true;
}

bool PairRun::prepare(VerbsDevice& from, VerbsDevice& to) {
    return open(from, reading_.from, sender_) && open(to, reading_.to, receiver_) &&
           addresses_meet() && connect();
}

bool PairRun::addresses_meet() {
    for (const auto& [own, other] :
         {std::pair(&reading_.from, &reading_.to), std::pair(&reading_.to, &reading_.from)}) {
        const auto scope = parse_gid_scope(own->gid_scope);
        const auto other_scope = parse_gid_scope(other->gid_scope);
        if (scope && other_scope && lags_behind(*scope, *other_scope)) {
            fail(own->port, {RdmaOutcome::kNoGid, port_name(own->port) + kLaggingGid});
            return false;
        }
    }
    return true;
}

bool PairRun::connect() {
    Status status = receiver_->connect(sender_->address());
    if (status) {
        status = sender_->connect(receiver_->address());
    }
    if (!status) {
        fail_pair(outcome_of_connect(status), status.message());
        return false;
    }
    sender_->begin(settings_.stream.deadline);
    return true;
}

void PairRun::conclude(std::chrono::nanoseconds deadline) {
    const SendResult sent = sender_->result();
    fail_pair(sent.outcome, sent.error);
    reading_.gbps = sent.gbps;
    reading_.wc_status = sent.wc_status;
    reading_.wc_text = sent.wc_text;
    if (sent.outcome != RdmaOutcome::kMeasured) {
        return;
    }
    wait_for_notices(verbs_, {&*receiver_}, deadline);
    const ReceiveResult received = receiver_->result();
    fail_pair(received.outcome, received.error);
    if (received.outcome == RdmaOutcome::kMeasured) {
        reading_.latency_us = sender_->latency_us(deadline);
    }
}

}  // namespace yardmaster
