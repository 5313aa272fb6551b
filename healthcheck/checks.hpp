// Runs all checks of a scope within a time budget. The one call for the prolog and for the command
// line's `check`.
#pragma once

#include <chrono>
#include <vector>

#include "healthcheck/budget/child.hpp"
#include "healthcheck/readings.hpp"
#include "healthcheck/scope.hpp"
#include "healthcheck/verdict.hpp"

namespace yardmaster {

/// The outcome of one run.
struct Report {
    CheckScope scope;
    Readings readings;
    std::vector<Finding> findings;        ///< judge(scope, readings)
    Verdict verdict = Verdict::kUnknown;  ///< combine(findings)
    std::chrono::milliseconds took{0};
};

/// Once a certain fault is found, how much longer the other readers may complete the evidence.
inline constexpr std::chrono::milliseconds kGraceAfterCertain{500};

/// Reads ports, GPUs, PCIe links, wiring and kept state, each in a child of its own, and judges
/// what came by `deadline`. Returns by then even if a reader hangs in the kernel; what it had not
/// delivered is unknown. Call it from a single-threaded process (it forks). Needs root only as far
/// as the device files do.
Report run_checks(const CheckScope& scope, const CheckSources& sources, Clock::time_point deadline);

/// Whether keep_counters would write: most checks leave the baseline where it is.
bool counters_moved(const Report& report);

/// Keeps the counters that the next check compares with (next_baseline) in `sources.state_dir`. May
/// block as long as the file system does: call it in a child. Errors: as write_state.
Status keep_counters(const Report& report, const CheckSources& sources);

}  // namespace yardmaster
