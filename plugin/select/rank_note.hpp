// The rank sheet of a job that was just placed: see topology/rank_sheet.hpp.
#pragma once

#include <string>

#include "plugin/select/demand.hpp"
#include "plugin/select/node_sets.hpp"
#include "topology/rank_plan.hpp"
#include "topology/rank_sheet.hpp"

namespace yardmaster {

/// How stock dealt a job's GPUs out over its nodes.
struct DealtGpus {
    std::uint32_t each = 0;  ///< GPUs that the job has on every node; 0: none, or uneven
    bool uneven = false;
};
/// Of a job that stock has just accepted in RUN_NOW. GPUs per node that it asks for hold as asked:
/// --exclusive gives it more, and its hints do not speak of those.
DealtGpus dealt_gpus(const ym_job* job, const ym_job_info& info);

/// The sheet's line for a job on `nodes`. Its order is that of `plan`, made over `fabric` for them
/// and so many GPUs; nullptr: nobody has planned, or the GPUs are uneven, so it is Slurm's, which
/// the sheet says.
/// "": the job has nothing to say (no GPUs, or one node without hints), the line is too long, or it
/// would not reach every node alike (PrologFlags without Alloc).
std::string rank_note(const Fabric* fabric,
                      const RankPlan* plan,
                      const NodeSet& nodes,
                      const Hints& hints,
                      const DealtGpus& gpus,
                      const ym_job_info& info);

}  // namespace yardmaster
