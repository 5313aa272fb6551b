// Which edges are measured, and which of them at the same time.
#pragma once

#include <vector>

#include "healthcheck/crossnode/cross_reading.hpp"

namespace yardmaster {

/// Each rail's ports in a ring, in the order given: every port writes to the next one's and is
/// written to by the one before. Ports whose rail no other node has (the job's GPUs differ from
/// node to node) make one more ring, as far as they are of several nodes. No edge joins two ports
/// of one node.
std::vector<CrossEdge> ring_edges(const std::vector<CrossPort>& ports);

/// What tells a bad port from a bad pair, for each bad edge of the ring: the edge again, its sender
/// to a third party, and a third party to its receiver. A third party has done well in the ring
/// what is asked of it here, and is on another node than the end that it meets: first of the same
/// rail and leaf group, then of the same rail, then any. Without one there is only the edge again.
/// Empty when no edge is bad. `edges`: the ring, measured. `max_loss` as in CrossPolicy.
std::vector<CrossEdge> third_party_edges(const std::vector<CrossEdge>& edges, double max_loss);

/// Splits edges into rounds in which no port sends twice or receives twice, in order; places in
/// `edges`.
std::vector<std::vector<std::size_t>> cross_rounds(const std::vector<CrossEdge>& edges);

}  // namespace yardmaster
