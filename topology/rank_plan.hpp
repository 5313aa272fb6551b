// The order of a job's nodes that suits its groups best, for launchers that can follow it.
#pragma once

#include <span>
#include <vector>

#include "topology/cost_model.hpp"

namespace yardmaster {

struct PlacerTables;

struct RankPlan {
    std::vector<NodeIndex> order;  ///< [node rank]: rank r runs on order[r / gpus_per_node]
    CommTime time;                 ///< predicted for that order
    CommTime given_time;           ///< predicted for the order that was given
    /// The given order costs no more, and splits no TP group that `order` keeps whole. Then `order`
    /// is the given one.
    bool given_is_as_good = false;
};

/// The best order found for the job's nodes, which are given as Slurm would rank them (node-table
/// order). TP groups stay inside NVLink domains wherever the set allows it, then pipeline stages
/// (nodes / pp neighbours) stay inside leaf groups and pods as far as they can, whole ones first:
/// of A, B and C with 3, 4 and 1 nodes and stages of 4 the order is B's four, then A's three with
/// C's one. Depends only on its arguments. Errors: as derive_parallelism.
Result<RankPlan> plan_ranks(const Fabric& fabric,
                            std::span<const NodeIndex> given,
                            std::uint32_t gpus_per_node,
                            const Hints& hints,
                            const CostWeights& weights = {});

/// The same with tables that are made already, such as a placer's: making them costs more than the
/// plan of a small job on a large fabric.
Result<RankPlan> plan_ranks(const PlacerTables& tables,
                            std::span<const NodeIndex> given,
                            std::uint32_t gpus_per_node,
                            const Hints& hints);

}  // namespace yardmaster
