#include "healthcheck/crossnode/hub_rounds.hpp"

#include "healthcheck/crossnode/cross_plan.hpp"

namespace yardmaster {
namespace {

using std::chrono::milliseconds;

/// Four windows of 20 ms, and some times the timeout that a lost packet costs: with less a good
/// link may look slow, so nothing is begun.
constexpr milliseconds kLeastBudget{250};
/// Beside the measurement itself: making and connecting the ends, and messages.
constexpr milliseconds kLeastRound{400};
/// Of the time for a step, what the hub keeps for messages on their way.
constexpr double kShareForMessages = 0.2;

CrossSide other(CrossSide side) {
    return side == CrossSide::kFrom ? CrossSide::kTo : CrossSide::kFrom;
}

Clock::time_point half_way_to(Clock::time_point end) {
    const auto now = Clock::now();
    return now + (end - now) / 2;
}

/// The end of `node` that `end` names; nullptr when it is none of this round's.
template <typename Stories>
EndStory* own_end(const std::vector<CrossEdge>& edges,
                  Stories& stories,
                  const std::string& node,
                  const CrossEnd& end) {
    const auto found = stories.find(end.edge);
    const bool own = found != stories.end() && port_of(edges[end.edge], end.side).node == node;
    return own ? &found->second.end(end.side) : nullptr;
}

Status not_its_own(const CrossEnd& end) {
    return {ErrorCode::kMalformed,
            "spoke of an end that is not its own, of edge " + std::to_string(end.edge)};
}

}  // namespace

void HubRounds::open(const std::vector<CrossEdge>& edges,
                     Stories& stories,
                     Clock::time_point deadline) {
    std::map<std::string, RoundMessage> rounds;
    for (const auto& [index, story] : stories) {
        for (const CrossSide side : kCrossSides) {
            const CrossPort& own = port_of(edges[index], side);
            rounds[own.node].tasks.push_back(
                {{index, side}, own, port_of(edges[index], other(side))});
        }
    }
    for (auto& [node, member] : members_.all()) {
        members_.tell(member, std::move(rounds[node]));
    }
    members_.hear<EndsMessage>(deadline, [&](const std::string& node, EndsMessage message) {
        for (OpenedEnd& opened : message.ends) {
            EndStory* story = own_end(edges, stories, node, opened.end);
            if (story == nullptr) {
                return not_its_own(opened.end);
            }
            story->opened = std::move(opened);
        }
        return Status::ok();
    });
}

void HubRounds::connect(const std::vector<CrossEdge>& edges,
                        Stories& stories,
                        Clock::time_point deadline) {
    std::map<std::string, ConnectMessage> peers;
    for (const auto& [index, story] : stories) {
        for (const CrossSide side : kCrossSides) {
            if (story.open()) {
                peers[port_of(edges[index], side).node].peers.push_back(
                    {{index, side}, *story.end(other(side)).opened->address});
            }
        }
    }
    for (auto& [node, member] : members_.all()) {
        members_.tell(member, std::move(peers[node]));
    }
    members_.hear<ReadyMessage>(deadline, [&](const std::string& node, ReadyMessage message) {
        for (ReadyMessage::Connected& connected : message.ends) {
            EndStory* story = own_end(edges, stories, node, connected.end);
            if (story == nullptr) {
                return not_its_own(connected.end);
            }
            story->connected = std::move(connected);
        }
        return Status::ok();
    });
}

void HubRounds::go(const std::vector<CrossEdge>& edges,
                   Stories& stories,
                   Clock::time_point deadline) {
    const std::chrono::duration<double> budget =
        (deadline - Clock::now()) * (1 - kShareForMessages);
    std::map<std::string, GoMessage> starts;
    for (auto& [index, story] : stories) {
        const std::string& from = edges[index].from.node;
        const std::string& to = edges[index].to.node;
        story.started = story.ready() && budget >= kLeastBudget &&
                        members_.why_gone(from).empty() && members_.why_gone(to).empty();
        if (story.started) {
            starts[from].edges.push_back(index);
            starts[to].edges.push_back(index);
        }
    }
    for (auto& [node, member] : members_.all()) {
        starts[node].budget_s = std::max(0.0, budget.count());
        members_.tell(member, std::move(starts[node]));
    }
    members_.hear<DoneMessage>(deadline, [&](const std::string& node, DoneMessage message) {
        for (EndResult& result : message.ends) {
            EndStory* story = own_end(edges, stories, node, result.end);
            if (story == nullptr) {
                return not_its_own(result.end);
            }
            story->result = std::move(result);
        }
        return Status::ok();
    });
}

void HubRounds::run_round(const std::vector<CrossEdge>& edges,
                          Stories& stories,
                          Clock::time_point round_end) {
    open(edges, stories, half_way_to(round_end));
    connect(edges, stories, half_way_to(round_end));
    go(edges, stories, round_end);
}

void HubRounds::measure(std::vector<CrossEdge>& edges, std::size_t first, unsigned rounds_after) {
    const std::vector<CrossEdge> wanted(edges.begin() + static_cast<std::ptrdiff_t>(first),
                                        edges.end());
    const auto rounds = cross_rounds(wanted);
    for (std::size_t i = 0; i < rounds.size(); ++i) {
        Stories stories;
        for (const std::size_t index : rounds[i]) {
            stories[first + index];
        }
        const auto left = end_ - Clock::now();
        if (left >= kLeastRound) {
            const auto share = left / static_cast<int>(rounds.size() - i + rounds_after);
            run_round(edges, stories, Clock::now() + std::max<Clock::duration>(share, kLeastRound));
        }
        for (auto& [index, story] : stories) {
            for (const CrossSide side : kCrossSides) {
                story.end(side).gone = members_.why_gone(port_of(edges[index], side).node);
            }
            edges[index].measured = conclude_edge(edges[index], story);
        }
    }
}

}  // namespace yardmaster
