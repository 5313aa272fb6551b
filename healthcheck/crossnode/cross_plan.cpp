#include "healthcheck/crossnode/cross_plan.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "healthcheck/crossnode/cross_symptom.hpp"

namespace yardmaster {
namespace {

using Ports = std::vector<CrossPort>;

bool of_several_nodes(const Ports& ports) {
    return std::any_of(ports.begin(), ports.end(), [&](const CrossPort& port) {
        return port.node != ports.front().node;
    });
}

void add_ring(const Ports& ports, std::vector<CrossEdge>& edges) {
    for (std::size_t i = 0; i < ports.size(); ++i) {
        const CrossPort& next = ports[(i + 1) % ports.size()];
        if (ports[i].node != next.node) {
            edges.push_back({ports[i], next, CrossPurpose::kRing, std::nullopt, {}});
        }
    }
}

/// Each node's first port, then each node's second one: neighbours are on different nodes.
Ports by_turns(const Ports& ports) {
    std::map<std::string, std::size_t> seen;
    std::map<std::size_t, Ports> turns;
    for (const CrossPort& port : ports) {
        turns[seen[port.node]++].push_back(port);
    }
    Ports ordered;
    for (const auto& [turn, members] : turns) {
        ordered.insert(ordered.end(), members.begin(), members.end());
    }
    return ordered;
}

/// Ports that did well in the ring: a third party need only have done what is asked of it.
struct Proven {
    Ports senders;
    Ports receivers;
};

Proven proven_ports(const std::vector<CrossEdge>& edges,
                    const std::vector<CrossSymptom>& symptoms) {
    Proven proven;
    for (std::size_t i = 0; i < edges.size(); ++i) {
        if (edges[i].purpose == CrossPurpose::kRing && symptoms[i].good()) {
            proven.senders.push_back(edges[i].from);
            proven.receivers.push_back(edges[i].to);
        }
    }
    return proven;
}

/// The best of `choices` to meet `port` instead of `other`; fewer meetings of its own before more.
const CrossPort* third_party(const CrossPort& port,
                             const CrossPort& other,
                             const Ports& choices,
                             std::map<std::string, unsigned>& meetings) {
    const CrossPort* best = nullptr;
    std::pair<int, unsigned> best_rank;
    for (const CrossPort& choice : choices) {
        if (choice.node == port.node || choice == other) {
            continue;
        }
        const bool same_rail = choice.rail == port.rail;
        const bool same_leaf = same_rail && choice.leaf == port.leaf;
        const std::pair<int, unsigned> rank{same_leaf   ? 0
                                            : same_rail ? 1
                                                        : 2,
                                            meetings[port_name(choice)]};
        if (best == nullptr || rank < best_rank) {
            best = &choice;
            best_rank = rank;
        }
    }
    if (best != nullptr) {
        ++meetings[port_name(*best)];
    }
    return best;
}

}  // namespace

std::vector<CrossEdge> ring_edges(const Ports& ports) {
    std::map<unsigned, Ports> rails;
    for (const CrossPort& port : ports) {
        rails[port.rail].push_back(port);
    }
    std::vector<CrossEdge> edges;
    Ports alone;
    for (const auto& [rail, members] : rails) {
        if (of_several_nodes(members)) {
            add_ring(members, edges);
        } else {
            alone.insert(alone.end(), members.begin(), members.end());
        }
    }
    if (!alone.empty()) {
        add_ring(by_turns(alone), edges);
    }
    return edges;
}

std::vector<CrossEdge> third_party_edges(const std::vector<CrossEdge>& edges, double max_loss) {
    const auto symptoms = cross_symptoms(edges, max_loss);
    const Proven proven = proven_ports(edges, symptoms);
    std::map<std::string, unsigned> meetings;
    std::vector<CrossEdge> more;
    for (std::size_t i = 0; i < edges.size(); ++i) {
        const CrossEdge& edge = edges[i];
        if (edge.purpose != CrossPurpose::kRing || !symptoms[i].bad()) {
            continue;
        }
        more.push_back({edge.from, edge.to, CrossPurpose::kAgain, i, {}});
        if (const auto* third = third_party(edge.from, edge.to, proven.receivers, meetings)) {
            more.push_back({edge.from, *third, CrossPurpose::kSender, i, {}});
        }
        if (const auto* third = third_party(edge.to, edge.from, proven.senders, meetings)) {
            more.push_back({*third, edge.to, CrossPurpose::kReceiver, i, {}});
        }
    }
    return more;
}

std::vector<std::vector<std::size_t>> cross_rounds(const std::vector<CrossEdge>& edges) {
    struct Busy {
        std::set<std::string> senders;
        std::set<std::string> receivers;
    };
    std::vector<std::vector<std::size_t>> rounds;
    std::vector<Busy> busy;
    for (std::size_t i = 0; i < edges.size(); ++i) {
        const std::string from = port_name(edges[i].from);
        const std::string to = port_name(edges[i].to);
        std::size_t round = 0;
        while (round < rounds.size() &&
               (busy[round].senders.contains(from) || busy[round].receivers.contains(to))) {
            ++round;
        }
        if (round == rounds.size()) {
            rounds.emplace_back();
            busy.emplace_back();
        }
        rounds[round].push_back(i);
        busy[round].senders.insert(from);
        busy[round].receivers.insert(to);
    }
    return rounds;
}

}  // namespace yardmaster
