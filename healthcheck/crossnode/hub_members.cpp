#include "healthcheck/crossnode/hub_members.hpp"

#include <poll.h>

#include <set>

#include "healthcheck/crossnode/hub_socket.hpp"

namespace yardmaster {
namespace {

/// Waits until one of the members there can be read from if `reading`, or written to where that
/// waits. Signals and errors of poll are a reason to look, too.
void wait_for_any(const std::map<std::string, HubMember>& members,
                  bool reading,
                  Clock::time_point deadline) {
    std::vector<pollfd> polled;
    for (const auto& [node, member] : members) {
        if (member.there() && (reading || member.socket->has_output())) {
            const int events = (reading ? POLLIN : 0) | (member.socket->has_output() ? POLLOUT : 0);
            polled.push_back({member.socket->fd(), static_cast<short>(events), 0});
        }
    }
    poll(polled.data(), polled.size(), poll_ms(deadline));
}

bool any_output(const std::map<std::string, HubMember>& members) {
    for (const auto& [node, member] : members) {
        if (member.there() && member.socket->has_output()) {
            return true;
        }
    }
    return false;
}

void flush_all(std::map<std::string, HubMember>& members) {
    for (auto& [node, member] : members) {
        Status status = member.there() ? member.socket->flush() : Status::ok();
        if (!status) {
            member.leave(status.message());
        }
    }
}

}  // namespace

void HubMember::leave(const std::string& why) {
    if (there()) {
        socket.reset();
        why_gone = why;
    }
}

std::string HubMembers::why_gone(const std::string& node) const {
    const auto found = members_.find(node);
    return found == members_.end() ? "did not come" : found->second.why_gone;
}

void HubMembers::tell_text(HubMember& member, const std::string& text) {
    if (!member.there()) {
        return;
    }
    if (Status status = member.socket->send_text(text); !status) {
        member.leave(status.message());
    }
}

void HubMembers::tell_all(const CrossMessage& message) {
    const std::string text = to_text(message);
    for (auto& [node, member] : members_) {
        tell_text(member, text);
    }
}

Status HubMembers::out_of_turn(const CrossMessage& message) {
    return {ErrorCode::kMalformed,
            "said \"" + std::string(name_of(message)) + "\" out of its turn"};
}

void HubMembers::hear_any(std::string_view awaited, Clock::time_point deadline, const Take& take) {
    std::set<std::string> answered;
    const auto hear_one = [&](const std::string& node, HubMember& member) {
        auto message = member.socket->receive();
        Status status = message.status();
        if (message && *message) {
            status = answered.insert(node).second ? take(node, std::move(**message))
                                                  : out_of_turn(**message);
        }
        if (!status) {
            member.leave(status.message());
        }
    };
    for (;;) {
        flush_all(members_);
        bool waiting = false;
        for (auto& [node, member] : members_) {
            if (member.there()) {
                hear_one(node, member);
            }
            waiting |= member.there() && !answered.contains(node);
        }
        if (!waiting || Clock::now() >= deadline) {
            break;
        }
        wait_for_any(members_, true, deadline);
    }
    for (auto& [node, member] : members_) {
        if (!answered.contains(node)) {
            member.leave("did not say \"" + std::string(awaited) + "\" in time");
        }
    }
}

void HubMembers::flush(Clock::time_point deadline) {
    for (flush_all(members_); any_output(members_) && Clock::now() < deadline;
         flush_all(members_)) {
        wait_for_any(members_, false, deadline);
    }
}

}  // namespace yardmaster
