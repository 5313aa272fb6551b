// Which node-table index of Slurm is which node of the fabric.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "topology/fabric.hpp"

namespace yardmaster {

/// Built from names; holds no pointer into Slurm. Slurm's indices change when nodes are added or
/// removed, so the owner throws the map away at every hook that says so.
class NodeMap {
  public:
    explicit NodeMap(const Fabric& fabric);

    /// The fabric's node at node-table index `node`; none: the fabric file does not name it.
    std::optional<NodeIndex> fabric_node(std::int32_t node) const;
    /// The node-table index of a fabric node; -1: Slurm has no such node.
    std::int32_t slurm_node(NodeIndex node) const { return to_slurm_[raw(node)]; }
    /// Fabric nodes that Slurm does not have.
    std::uint32_t unknown_to_slurm() const { return unknown_to_slurm_; }
    /// Whether `node` still bears the name it had when the map was built.
    bool still_true(const Fabric& fabric, NodeIndex node) const;

  private:
    static constexpr std::uint32_t kNone = UINT32_MAX;
    std::vector<std::uint32_t> to_fabric_;  // [node-table index], kNone where unknown
    std::vector<std::int32_t> to_slurm_;    // [NodeIndex], -1 where unknown
    std::uint32_t unknown_to_slurm_ = 0;
};

}  // namespace yardmaster
