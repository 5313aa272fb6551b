#include "healthcheck/crossnode/member_work.hpp"

#include <algorithm>

namespace yardmaster {
namespace {

Status no_such_end(std::size_t edge) {
    return {ErrorCode::kMalformed,
            "the hub names an end that this node does not have, of edge " + std::to_string(edge)};
}

std::string count_of(std::size_t count, const char* what) {
    return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

/// However early it failed, an end's reading says which port it is of.
void name_port(const RoundMessage& round, OpenedEnd& opened) {
    for (const RoundMessage::Task& task : round.tasks) {
        if (task.end == opened.end) {
            opened.reading.port = task.own.port;
        }
    }
}

}  // namespace

Result<CrossMessage> MemberWork::answer(const CrossMessage& message) {
    if (const auto* round = std::get_if<RoundMessage>(&message)) {
        return open(*round);
    }
    if (const auto* peers = std::get_if<ConnectMessage>(&message)) {
        return connect(*peers);
    }
    if (const auto* go = std::get_if<GoMessage>(&message)) {
        return measure(*go);
    }
    return Status(
        ErrorCode::kMalformed,
        "the hub said \"" + std::string(name_of(message)) + "\", which is a member's to say");
}

Result<CrossMessage> MemberWork::open(const RoundMessage& round) {
    ends_.clear();
    for (const RoundMessage::Task& task : round.tasks) {
        const auto& ports = hello_.ports;
        if (std::find(ports.begin(), ports.end(), task.own) == ports.end()) {
            return Status(
                ErrorCode::kMalformed,
                "the hub asks for a port that this node did not offer: " + port_name(task.own));
        }
        ends_.insert(task.end);
    }
    on_step_("open " + count_of(round.tasks.size(), "end"));
    EndsMessage answer{meter_.open(round.tasks)};
    for (OpenedEnd& opened : answer.ends) {
        name_port(round, opened);
    }
    return CrossMessage(std::move(answer));
}

Result<CrossMessage> MemberWork::connect(const ConnectMessage& message) {
    for (const ConnectMessage::Peer& peer : message.peers) {
        if (!ends_.contains(peer.end)) {
            return no_such_end(peer.end.edge);
        }
    }
    on_step_("connect " + count_of(message.peers.size(), "end"));
    return CrossMessage(ReadyMessage{meter_.connect(message.peers)});
}

bool MemberWork::has_end_of(std::size_t edge) const {
    return ends_.contains({edge, CrossSide::kFrom}) || ends_.contains({edge, CrossSide::kTo});
}

Result<CrossMessage> MemberWork::measure(const GoMessage& message) {
    for (const std::size_t edge : message.edges) {
        if (!has_end_of(edge)) {
            return no_such_end(edge);
        }
    }
    on_step_("measure " + count_of(message.edges.size(), "edge"));
    const auto budget = std::chrono::duration_cast<std::chrono::nanoseconds>(
        std::chrono::duration<double>(message.budget_s));
    return CrossMessage(DoneMessage{meter_.measure(message.edges, budget)});
}

}  // namespace yardmaster
