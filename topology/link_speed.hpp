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

/// A node's rails beside full ones, in 1/kFullSpeed.
inline constexpr std::uint32_t kFullSpeed = 64;
struct RailGrade {
    std::uint32_t slowest = kFullSpeed;  ///< times that the slowest GPU's way out takes longer
    std::uint32_t mean = kFullSpeed;     ///< the same on average over the GPUs
    std::uint32_t odd = 0;               ///< share of GPUs that are on another rail than their own

    auto operator<=>(const RailGrade&) const = default;
    bool perfect() const { return *this == RailGrade{}; }
};

/// [NodeIndex]. A GPU without NIC uses another GPU's: it is on another rail, and takes twice as
/// long.
std::vector<RailGrade> rail_grades(const Fabric& fabric, const CostWeights& weights);

}  // namespace yardmaster
