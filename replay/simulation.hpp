// Plays a stream of jobs: first come, first served, with EASY backfill, whatever the policy.
#pragma once

#include <cstdint>
#include <vector>

#include "replay/policy.hpp"
#include "replay/trace.hpp"

namespace yardmaster {

struct JobStart {
    std::size_t job = 0;            ///< index into the stream
    std::int64_t start = 0;         ///< seconds, as TraceJob::submit
    std::int64_t end = 0;           ///< start + runtime
    std::vector<NodeIndex> ranked;  ///< its nodes in rank order
};

/// What the first job in the queue was promised.
struct Promise {
    std::size_t job = 0;
    std::int64_t made_at = 0;
    std::int64_t start = 0;  ///< it starts then or earlier
};

struct Schedule {
    std::vector<JobStart> starts;         ///< in the order of decision
    std::vector<std::size_t> impossible;  ///< jobs the policy cannot place with every node free
    std::vector<Promise> promises;        ///< in the order in which they were made

    std::int64_t last_end() const;
};

/// Jobs start in the order of submission. When the first in the queue must wait, the earliest time
/// at which the policy has nodes for it is found by the ends of those that run (runtimes are
/// known), and these nodes are kept for it; a later job starts before it only if it ends by then or
/// does without these nodes. Jobs that the policy can never place leave the queue at once.
///
/// `jobs` stand in the order of submission (Trace). Depends on its arguments only. Errors: those of
/// the policy that are not kUnavailable, with the job's id.
Result<Schedule> play(const Fabric& fabric,
                      const std::vector<TraceJob>& jobs,
                      const PlacementPolicy& policy);

}  // namespace yardmaster
