#include "healthcheck/crossnode/hub_gate.hpp"

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>

namespace yardmaster {
namespace {

/// A member connects, seals its hello in a millisecond, more when munged has much to do, and sends
/// it.
constexpr std::chrono::milliseconds kPatience{1000};
/// Members leave so much before they must: the end is still to be told to them.
constexpr std::chrono::milliseconds kMargin{200};
/// A node that must leave so soon would spoil the others' measurement.
constexpr std::chrono::milliseconds kLeastStay{500};
constexpr std::size_t kSpareConnections = 16;

}  // namespace

HubGate::HubGate(const MeetingSettings& settings, Seal& seal, OwnedFd listener)
    : settings_(settings), seal_(seal), listener_(std::move(listener)) {}

bool HubGate::all_there(const HubMembers& members) const {
    return std::all_of(settings_.nodes.begin(), settings_.nodes.end(), [&](const auto& node) {
        const auto found = members.all().find(node);
        return found != members.all().end() && found->second.there();
    });
}

void HubGate::wait(const HubMembers& members) const {
    std::vector<pollfd> polled{{listener_.get(), POLLIN, 0}};
    Clock::time_point until = settings_.meet_by;
    for (const Stranger& stranger : strangers_) {
        polled.push_back({stranger.socket.fd(), POLLIN, 0});
        until = std::min(until, stranger.until);
    }
    for (const auto& [node, member] : members.all()) {
        if (member.there()) {
            polled.push_back({member.socket->fd(), POLLIN, 0});
        }
    }
    poll(polled.data(), polled.size(), poll_ms(until));
}

void HubGate::accept_all() {
    const std::size_t most = settings_.nodes.size() + kSpareConnections;
    // As many at a time as there may be: who was there before them is heard in between.
    for (std::size_t i = 0; i < most; ++i) {
        const int fd = accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
        if (fd < 0) {
            return;  // nobody, or no descriptor is left: the loop comes back
        }
        if (strangers_.size() >= most) {
            strangers_.pop_front();
        }
        strangers_.push_back(
            {MessageSocket(fd, MessageSocket::Role::kHub, seal_), Clock::now() + kPatience});
    }
}

std::string HubGate::objection(const HelloMessage& hello, const HubMembers& members) const {
    const auto& nodes = settings_.nodes;
    if (std::find(nodes.begin(), nodes.end(), hello.node) == nodes.end()) {
        return "is no node of the job";
    }
    if (hello.version != kMeetingVersion) {
        return "speaks version " + std::to_string(hello.version) + " of the meeting, the hub " +
               std::to_string(kMeetingVersion);
    }
    if (!(hello.meeting == settings_.id)) {
        return "came for another start of a job: " + std::to_string(hello.meeting.job) + "." +
               std::to_string(hello.meeting.restarts);
    }
    if (std::chrono::duration<double>(hello.left_s) < kLeastStay + kMargin) {
        return "came with too little time left";
    }
    const auto found = members.all().find(hello.node);
    return found != members.all().end() && found->second.there() ? "is there already" : "";
}

void HubGate::judge_hello(HelloMessage hello, MessageSocket& socket, HubMembers& members) {
    const std::string why = objection(hello, members);
    if (!why.empty()) {
        refused_[hello.node] = why;
        return;
    }
    HubMember member;
    member.leaves =
        Clock::now() - kMargin +
        std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(hello.left_s));
    socket.bind(settings_.id, hello.node);
    member.socket.emplace(std::move(socket));
    const std::string node = hello.node;
    member.hello = std::move(hello);
    members.all().insert_or_assign(node, std::move(member));
}

bool HubGate::hear(Stranger& stranger, HubMembers& members) {
    auto message = stranger.socket.receive();
    if (!message) {
        return true;
    }
    if (!*message) {
        return Clock::now() >= stranger.until;
    }
    if (auto* hello = std::get_if<HelloMessage>(&**message)) {
        judge_hello(std::move(*hello), stranger.socket, members);
    }
    return true;
}

void HubGate::watch(HubMembers& members) {
    for (auto& [node, member] : members.all()) {
        if (!member.there()) {
            continue;
        }
        const auto message = member.socket->receive();
        if (!message || *message) {
            member.leave(message ? "spoke before it was asked" : message.status().message());
        }
    }
}

void HubGate::admit(HubMembers& members) {
    while (!all_there(members) && Clock::now() < settings_.meet_by) {
        wait(members);
        watch(members);
        accept_all();
        strangers_.remove_if([&](Stranger& stranger) { return hear(stranger, members); });
    }
    strangers_.clear();
    listener_ = OwnedFd();  // who comes now is refused at once
}

}  // namespace yardmaster
