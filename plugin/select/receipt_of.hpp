// Receipts of decisions.
#pragma once

#include <optional>
#include <string>

#include "plugin/select/decision.hpp"
#include "plugin/select/node_sets.hpp"
#include "topology/rank_plan.hpp"
#include "topology/receipt.hpp"

namespace yardmaster {

/// The best rank order of `nodes`, which stand in Slurm's, and what both cost; none: the fabric
/// lacks one of them, or the job has no GPUs.
std::optional<RankPlan> plan_for(const LoadedFabric& loaded,
                                 const NodeMap& map,
                                 const NodeSet& nodes,
                                 const Demand& demand);

/// The receipt of a job that got `nodes` by `answer`. `plan` is theirs; nullptr: there is none.
Receipt receipt_of(const LoadedFabric& loaded,
                   const NodeMap& map,
                   const NodeSet& nodes,
                   const Demand& demand,
                   const Answer& answer,
                   const RankPlan* plan);

/// Notes how many nodes with a SoftMark `nodes`, which the job got, are, and how many more were
/// free for it when `question` was asked.
void count_soft_degraded(const Question& question, const NodeSet& nodes, Receipt& receipt);

/// The receipt of a job that stock placed on `nodes` without the placer, for the reason `why`.
Receipt stock_receipt(const Hints& hints,
                      const NodeSet& nodes,
                      const ym_job_info& info,
                      const std::string& why);

}  // namespace yardmaster
