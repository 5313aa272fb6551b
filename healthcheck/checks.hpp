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

/// How long a sign that may pass gets to do so before it is read again. A choice of this project:
/// longer than a flicker of clocks or link recovery, short beside the deadline.
inline constexpr std::chrono::milliseconds kSecondLookPause{1000};

/// Reads ports, GPUs, PCIe links, wiring and kept state, each in a child of its own; then again
/// what may have been passing; then runs the active checks one after the other while time is left.
/// Stops when something certain is found, and judges what came by `deadline`. Returns by then even
/// if a reader hangs in the kernel; what it had not delivered is unknown. Call it from a
/// single-threaded process (it forks). Needs root only as far as the device files do.
Report run_checks(const CheckScope& scope, const CheckSources& sources, Clock::time_point deadline);

}  // namespace yardmaster
