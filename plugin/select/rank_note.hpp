// The rank sheet of a job that was just placed: see topology/rank_sheet.hpp.
#pragma once

#include <string>

#include "plugin/select/demand.hpp"
#include "plugin/select/node_sets.hpp"
#include "topology/rank_plan.hpp"
#include "topology/rank_sheet.hpp"

namespace yardmaster {

/// The sheet's line for a job on `nodes`. Its order is that of `plan`, made over `fabric` for them;
/// nullptr: nobody has planned, so it is Slurm's, which the sheet says.
/// "": the job has nothing to say (no GPUs, or one node without hints), the line is too long, or it
/// would not reach every node alike (PrologFlags without Alloc).
std::string rank_note(const Fabric* fabric,
                      const RankPlan* plan,
                      const NodeSet& nodes,
                      const Hints& hints,
                      const ym_job_info& info);

}  // namespace yardmaster
