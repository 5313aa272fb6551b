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

/// Times are counted in 1/kFullSpeed of those at the reference line rate.
inline constexpr std::uint32_t kFullSpeed = 64;

/// A GPU's way out of its node. One without NIC uses another GPU's: it is on that rail, and takes
/// twice as long.
struct RailLane {
    std::uint32_t slow = kFullSpeed;  ///< time that a byte takes; at least kFullSpeed
    std::uint32_t rail = 0;           ///< same number: the same rail
    auto operator<=>(const RailLane&) const = default;
};

/// A node's rails in short, for choosing among nodes; less is better.
struct RailGrade {
    std::uint32_t slowest = kFullSpeed;  ///< times that the slowest GPU's way out takes longer
    std::uint32_t mean = kFullSpeed;     ///< the same on average over the GPUs
    std::uint32_t odd = 0;               ///< share of GPUs that are on another rail than their own

    auto operator<=>(const RailGrade&) const = default;
    bool perfect() const { return *this == RailGrade{}; }
};

/// What nodes with the same ways out have in common.
struct RailKind {
    std::vector<RailLane> lanes;  ///< [GpuIndex]
    RailGrade grade;
    /// All GPUs are on their own rails and these are equally fast: every lane is like the first.
    bool even = true;
};

/// The ways out of all nodes of a fabric.
struct RailKinds {
    std::vector<std::uint32_t> of;  ///< [NodeIndex] its place in `kinds`
    std::vector<RailKind> kinds;    ///< all distinct

    const RailKind& kind(NodeIndex node) const { return kinds[of[raw(node)]]; }
    const RailGrade& grade(NodeIndex node) const { return kind(node).grade; }
};
RailKinds rail_kinds(const Fabric& fabric, const CostWeights& weights);

}  // namespace yardmaster
