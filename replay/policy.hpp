// A rule of placement that a stream of jobs can be played with.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "base/status.hpp"
#include "topology/placer.hpp"

namespace yardmaster {

class PlacementPolicy {
  public:
    virtual ~PlacementPolicy() = default;

    /// One word, for options and JSON: "first-fit".
    virtual std::string_view name() const = 0;
    /// Nodes for the job that `request` describes. kUnavailable: it must wait; any other error is
    /// none of waiting and ends the replay. With more usable nodes it finds a set whenever it found
    /// one with fewer.
    virtual Result<std::vector<NodeIndex>> choose(const PlacementRequest& request) const = 0;
    /// The chosen nodes in the order in which the job's ranks run on them.
    virtual std::vector<NodeIndex> rank(const std::vector<NodeIndex>& nodes,
                                        const PlacementRequest& request) const = 0;
};

/// The placer of slurmctld's select plugin, with the best rank order that is known (plan_ranks).
/// `placer` and `fabric` must outlive it.
std::unique_ptr<PlacementPolicy> make_yardmaster_policy(const Fabric& fabric, const Placer& placer);

/// The lowest usable nodes by name, and ranks by name: nothing is known of the topology.
std::unique_ptr<PlacementPolicy> make_first_fit_policy(const Fabric& fabric);

/// Slurm's topology/tree: best fit by leaf switch, ranks in the order of the tree
/// (SwitchAsNodeRank). Nodes below no switch count as one more switch, without a way to the others.
/// Hints mean nothing to it. Source: 24.11, topology/tree/eval_nodes_tree.c, _eval_nodes_topo.
std::unique_ptr<PlacementPolicy> make_tree_policy(const Fabric& fabric);

/// Slurm's topology/block with one block size, the smallest block's. Blocks are the NVLink domains
/// of several nodes, else the leaf groups. A job whose TP groups take several nodes says --segment
/// with that many, and every segment goes to the fullest block that holds it; any other job takes
/// no more blocks than its size needs, or waits. Ranks by block. Nodes outside such domains are
/// blocks of a topology of their own, by leaf group. Source: 24.11,
/// topology/block/eval_nodes_block.c.
std::unique_ptr<PlacementPolicy> make_block_policy(const Fabric& fabric);

}  // namespace yardmaster
