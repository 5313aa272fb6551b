// The note that a job's prolog leaves on its node for the steps: slurmstepd cannot read the job's
// SPANK environment (spank_job_control_getenv answers ESPANK_NOT_LOCAL there), the prolog can.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.hpp"
#include "topology/host_ranges.hpp"
#include "topology/rank_sheet.hpp"

namespace yardmaster {

/// The node's place among all nodes of the job, worked out once, so that tasks need not.
struct JobPlace {
    std::uint32_t node_rank = 0;
    std::uint32_t nnodes = 0;
    std::string master;  ///< node rank 0
    bool operator==(const JobPlace&) const = default;
};

struct JobNote {
    std::vector<std::uint32_t> gpus;  ///< the job's GPU indices on this node, ascending
    std::string nodes;                ///< the job's nodes, a host list as Slurm wrote it
    std::string sheet;                ///< the rank sheet's line; "": the job has none
    JobPlace place;
    bool operator==(const JobNote&) const = default;
};

/// A node's place among some of the job's nodes.
struct PlaceAmong {
    HostsIn hosts;  ///< those nodes in rank order
    bool by_sheet =
        false;  ///< that is the sheet's order; else Slurm's: the sheet lacks one of them
};
/// The place of `node` among the nodes of the host list `nodes` that belong to the note's job.
/// Takes time by ranges, not by nodes: every task of a step on a part of the job asks. kMalformed:
/// a list that Slurm would not write.
Result<PlaceAmong> place_among(const JobNote& note,
                               const std::string& nodes,
                               const std::string& node);

/// What a prolog's environment says: SLURM_JOB_GPUS, SLURM_JOB_NODELIST (22.05: SLURM_NODELIST),
/// SPANK_YARDMASTER_RANKS, SLURMD_NODENAME. `get` answers nullptr for a variable that is not set.
/// kMalformed when a list or the sheet cannot be read, or the node is none of the job's.
Result<JobNote> note_from_environment(const char* (*get)(const char* name));

/// Where the note of `job` on `node` lies: one machine may run several slurmds. kInvalidArgument
/// when `node` cannot be a part of a path.
Result<std::string> note_path(const std::string& folder, std::uint32_t job, std::string_view node);

/// Replaces the file at `path`; makes its folder (but not the one above). kUnreadable: the file
/// system would not have it.
Status write_note(const std::string& path, const JobNote& note);

/// kNotFound when there is none, kUnreadable, kMalformed.
Result<JobNote> read_note(const std::string& path);

void remove_note(const std::string& path);

}  // namespace yardmaster
