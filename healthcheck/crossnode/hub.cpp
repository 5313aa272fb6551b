// The hub's side of a meeting.
#include <algorithm>

#include "healthcheck/crossnode/cross_plan.hpp"
#include "healthcheck/crossnode/end_json.hpp"
#include "healthcheck/crossnode/hub_gate.hpp"
#include "healthcheck/crossnode/hub_rounds.hpp"
#include "healthcheck/crossnode/meeting.hpp"

namespace yardmaster {
namespace {

/// The ring gets half of the time: where it needs that, a member hangs or a link is bad.
constexpr unsigned kRoundsAfterRing = 1;
/// Of the hub's own time, what remains for telling everybody the end.
constexpr std::chrono::milliseconds kFarewell{200};

/// When the first one must leave.
Clock::time_point end_of(const MeetingSettings& settings, const HubMembers& members) {
    auto end = settings.deadline - kFarewell;
    for (const auto& [node, member] : members.all()) {
        if (member.there()) {
            end = std::min(end, member.leaves);
        }
    }
    return end;
}

bool all_proven(const MeetingSettings& settings, const HubMembers& members) {
    return std::all_of(settings.nodes.begin(), settings.nodes.end(), [&](const auto& node) {
        const auto found = members.all().find(node);
        return found != members.all().end() && found->second.there() && found->second.hello.proven;
    });
}

/// Of those that are there, in the job's order of nodes.
std::vector<CrossPort> ports_of(const MeetingSettings& settings, const HubMembers& members) {
    std::vector<CrossPort> ports;
    for (const std::string& node : settings.nodes) {
        const auto found = members.all().find(node);
        if (found != members.all().end() && found->second.there()) {
            const auto& own = found->second.hello.ports;
            ports.insert(ports.end(), own.begin(), own.end());
        }
    }
    return ports;
}

OverMessage measure_all(const MeetingSettings& settings, HubMembers& members) {
    OverMessage over;
    if (all_proven(settings, members)) {
        over.note = "all of the job's nodes have passed lately";
        return over;
    }
    over.edges = ring_edges(ports_of(settings, members));
    if (over.edges.empty()) {
        over.note = "no rail of two nodes is there to measure between";
        return over;
    }
    HubRounds rounds(members, end_of(settings, members));
    rounds.measure(over.edges, 0, kRoundsAfterRing);
    const auto more = third_party_edges(over.edges, settings.max_loss);
    const std::size_t ring = over.edges.size();
    over.edges.insert(over.edges.end(), more.begin(), more.end());
    rounds.measure(over.edges, ring, 0);
    return over;
}

std::vector<CrossPeer> peers_of(const MeetingSettings& settings,
                                const HubMembers& members,
                                const std::map<std::string, std::string>& refused) {
    std::vector<CrossPeer> peers;
    for (const std::string& node : settings.nodes) {
        const auto found = members.all().find(node);
        const auto objection = refused.find(node);
        if (found != members.all().end()) {
            peers.push_back({node, true, fit_text(found->second.why_gone)});
        } else {
            peers.push_back({node, false, objection == refused.end() ? "" : objection->second});
        }
    }
    return peers;
}

}  // namespace

Status run_hub(const MeetingSettings& settings, Seal& seal) {
    auto listener = listen_on(settings.port);
    if (!listener) {
        return listener.status();
    }
    HubMembers members;
    HubGate gate(settings, seal, std::move(listener).value());
    gate.admit(members);
    OverMessage over = measure_all(settings, members);
    over.peers = peers_of(settings, members, gate.refused());
    members.tell_all(over);
    members.flush(settings.deadline);
    return Status::ok();
}

}  // namespace yardmaster
