// Counters of this node's checks for Prometheus, through node_exporter's textfile collector.
#pragma once

#include <cstdint>
#include <ctime>
#include <map>
#include <string>

#include "healthcheck/evidence.hpp"

namespace yardmaster {

/// Totals since the state folder was made; they survive between runs as state "metrics".
struct HealthTotals {
    std::map<std::string, std::uint64_t> checks;       ///< by verdict
    std::map<std::string, std::time_t> last;           ///< time of the last one, by verdict
    std::map<std::string, std::uint64_t> drains;       ///< by the primary finding's sign
    std::map<std::string, std::uint64_t> not_drained;  ///< degraded, node kept: by outcome
    double seconds = 0;                                ///< spent in checks
    bool simulated = false;                            ///< the last run's hardware was simulated
};

/// Adds one run.
void count_run(const Evidence& evidence, HealthTotals& totals);

JsonValue to_json(const HealthTotals& totals);
Status from_json(const JsonNode& node, HealthTotals& totals);

/// The exposition text. Names and units: Prometheus documentation, "Metric and label naming" and
/// "Text-based format".
std::string prometheus_text(const HealthTotals& totals);

/// Counts the run in `state_dir` and writes `file` (mode 0644, whole or not at all), under a lock
/// against other prologs. A damaged state starts anew. May block as long as the file systems do:
/// call it in a child. Errors: kUnreadable.
Status publish_run(const Evidence& evidence, const std::string& state_dir, const std::string& file);

}  // namespace yardmaster
