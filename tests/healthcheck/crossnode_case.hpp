// A job's nodes whose rails fail as a test says: what the ring and third parties would measure.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "healthcheck/crossnode/cross_judge.hpp"
#include "healthcheck/crossnode/cross_plan.hpp"

namespace yardmaster {

/// How the edge from one port to another comes out.
using CrossFate = std::function<RdmaPairReading(const CrossPort& from, const CrossPort& to)>;

inline RdmaPairReading cross_measured(double gbps) {
    RdmaPairReading reading;
    for (RdmaEndReading* end : {&reading.from, &reading.to}) {
        end->rate = "400 Gb/sec (4X NDR)";
        end->mtu_bytes = 4096;
        end->firmware = "SIMULATED";
    }
    reading.outcome = RdmaOutcome::kMeasured;
    reading.gbps = {gbps * 0.98, gbps};
    return reading;
}

inline RdmaPairReading cross_failed(RdmaOutcome outcome) {
    RdmaPairReading reading = cross_measured(0);
    reading.gbps.clear();
    reading.outcome = outcome;
    reading.error = "no acknowledgement";
    return reading;
}

constexpr double kGoodGbps = 395;

/// `nodes` nodes n0, n1, ... of `per_leaf` a leaf group with `rails` rails.
inline std::vector<CrossPort> cross_ports(unsigned nodes, unsigned rails, unsigned per_leaf) {
    std::vector<CrossPort> ports;
    for (unsigned node = 0; node < nodes; ++node) {
        for (unsigned rail = 0; rail < rails; ++rail) {
            ports.push_back({"n" + std::to_string(node),
                             {"mlx5_" + std::to_string(rail), 1},
                             rail,
                             "leaf" + std::to_string(node / per_leaf)});
        }
    }
    return ports;
}

/// What every node holds after the meeting.
inline CrossReading cross_meeting(const std::vector<CrossPort>& ports, const CrossFate& fate) {
    CrossReading reading;
    reading.asked = reading.ended = true;
    reading.max_loss = 0.2;
    std::set<std::string> nodes;
    for (const CrossPort& port : ports) {
        if (nodes.insert(port.node).second) {
            reading.peers.push_back({port.node, true, ""});
        }
    }
    const auto measure = [&](std::vector<CrossEdge> edges) {
        for (CrossEdge& edge : edges) {
            edge.measured = fate(edge.from, edge.to);
            reading.edges.push_back(edge);
        }
    };
    measure(ring_edges(ports));
    measure(third_party_edges(reading.edges, reading.max_loss));
    return reading;
}

/// "n2 mlx5_1" of every port that its own node would drain for.
inline std::set<std::string> cross_culprits(const CrossReading& reading) {
    std::set<std::string> culprits;
    for (const CrossPeer& peer : reading.peers) {
        for (const Finding& finding : judge_cross(reading, peer.node)) {
            if (is_proven(finding)) {
                culprits.insert(peer.node + " " + finding.object);
            }
        }
    }
    return culprits;
}

/// The fate where the ports in `dead` neither send nor receive, and the rest is healthy.
inline CrossFate dead_ports(std::set<std::string> dead) {
    return [dead = std::move(dead)](const CrossPort& from, const CrossPort& to) {
        return dead.contains(port_name(from)) || dead.contains(port_name(to))
                   ? cross_failed(RdmaOutcome::kUnreachable)
                   : cross_measured(kGoodGbps);
    };
}

}  // namespace yardmaster
