// What one process of a job is told: pure, from the note on the node and what slurmstepd knows.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "plugin/spank/job_note.hpp"
#include "topology/rank_variables.hpp"

namespace yardmaster {

/// The process, as slurmstepd sees it.
struct ProcessFacts {
    bool whole_job = false;    ///< the batch script, or salloc's interactive step
    std::string node;          ///< where it runs: SLURMD_NODENAME
    std::string nodes;         ///< the step's nodes, a host list in Slurm's order; "" for whole_job
    std::uint32_t nnodes = 0;  ///< how many these are, by Slurm's count
    std::uint32_t node_id = 0;   ///< the node's place among them, by Slurm's count
    std::string tasks_per_node;  ///< SLURM_STEP_TASKS_PER_NODE, e.g. "8(x4)"; "" for whole_job
    std::uint32_t local = 0;     ///< SLURM_LOCALID
};

struct ProcessRanks {
    std::vector<RankVariable> variables;
    std::string remark;  ///< why something is left out that could be expected; "" when nothing is
};

/// With one task for each GPU of a node: the task's own rank and groups. With one task a node, and
/// for the whole job: the node's. Otherwise the node's rank alone. A step of several components of
/// a heterogeneous job is told what holds in the process's own component. Errors: the note or
/// Slurm's words contradict each other; then nothing may be told.
Result<ProcessRanks> ranks_of(const JobNote& note, const ProcessFacts& facts);

}  // namespace yardmaster
