// One stream of jobs with several policies, side by side.
#pragma once

#include <string>
#include <vector>

#include "replay/metrics.hpp"
#include "replay/simulation.hpp"

namespace yardmaster {

/// A job that no policy is given, because slurmctld would refuse it at submit.
struct RefusedJob {
    TraceJob job;
    std::string reason;
};

struct PolicyRun {
    std::string policy;
    Schedule schedule;
    PolicyMetrics metrics;
};

struct Comparison {
    std::vector<TraceJob> jobs;  ///< those played; schedules index them
    std::vector<RefusedJob> refused;
    /// Seconds from the first submission to the first of the policies' last ends: while all of them
    /// had work. Utilisation and free units are means over it.
    std::int64_t window = 0;
    std::vector<PolicyRun> runs;  ///< in the order asked for
};

/// All names that compare_policies knows, in the order in which they are best shown.
const std::vector<std::string>& policy_names();

/// Plays the jobs (in the order of submission) with every policy of `policies`. Errors:
/// kInvalidArgument for an unknown name; as play().
Result<Comparison> compare_policies(const Fabric& fabric,
                                    const Placer& placer,
                                    const std::vector<TraceJob>& jobs,
                                    const std::vector<std::string>& policies);

}  // namespace yardmaster
