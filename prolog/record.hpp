// What a run leaves behind: evidence, a line in the journal, counters, a line for the log.
#pragma once

#include <string>

#include "healthcheck/budget/child.hpp"
#include "healthcheck/evidence.hpp"
#include "prolog/breaker.hpp"
#include "prolog/policy.hpp"

namespace yardmaster {

/// The parts of a record that a run wants kept.
struct RecordParts {
    bool evidence = false;
    bool journal = false;
    bool metrics = false;  ///< only where the policy names a file for them
};

/// Keeps `parts` of the run in one child, in that order, given up at `deadline`: a full disk or a
/// hung file system costs the record, never the verdict. What could not be kept is logged.
void keep_record(const Evidence& evidence,
                 const HealthPolicy& policy,
                 RecordParts parts,
                 Clock::time_point deadline);

/// The drain that a degraded verdict asks for; its reason is noted in `evidence` as well.
DrainRequest request_drain(Evidence& evidence, const HealthPolicy& policy);

/// "yard04 job 14: <outcome>: mlx5_3: runs at ...; evidence yard04-14-1796094669", for the log.
std::string summary_of(const Evidence& evidence, const std::string& outcome);

/// What summary_of says of a degraded verdict: "degraded, breaker (4 other nodes ...)".
std::string outcome_of(const Action& action);

}  // namespace yardmaster
