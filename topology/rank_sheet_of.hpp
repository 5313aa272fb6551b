// Making the rank sheet of a placed job.
#pragma once

#include <span>

#include "topology/rank_plan.hpp"
#include "topology/rank_sheet.hpp"

namespace yardmaster {

/// The sheet of a job on the nodes `given`, which stand in slurmctld's order: the order of
/// plan_ranks, and the rails of its GPUs. Rails are left out where more GPUs than a sheet can name
/// differ from the most common ones. Errors: as plan_ranks.
Result<RankSheet> rank_sheet_of(const Fabric& fabric,
                                std::span<const NodeIndex> given,
                                std::uint32_t gpus_per_node,
                                const Hints& hints,
                                const CostWeights& weights = {});

/// The same for an order that is planned already.
RankSheet rank_sheet_of(const Fabric& fabric,
                        const RankPlan& plan,
                        std::uint32_t gpus_per_node,
                        const Hints& hints);

}  // namespace yardmaster
