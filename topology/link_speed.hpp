// Speeds of links relative to the fabric's line rate, in the placer's whole numbers.
#pragma once

#include <cstdint>
#include <vector>

#include "topology/cost_model.hpp"
#include "topology/unit_tree.hpp"

namespace yardmaster {

/// The fastest rail of any node type, in Gb/s: the line rate that hops are counted in.
double reference_gbps(const Fabric& fabric, const CostWeights& weights);

/// An edge on the NVLink of a node type beside one at the reference line rate; at most a hop.
HopCost nvlink_hop(const Fabric& fabric, const NodeType& type, const CostWeights& weights);

/// How many times slower than the reference a node's slowest rail is, in 1/kFullSpeed.
using Slowness = std::uint32_t;
inline constexpr Slowness kFullSpeed = 64;

/// [NodeIndex]. A GPU without NIC makes its node at least twice as slow; a miscabled one makes it slow
/// by what leaving its leaf group costs, since its rail's peers hang at another switch.
std::vector<Slowness> node_slowness(const Fabric& fabric, const CostWeights& weights);

}  // namespace yardmaster
