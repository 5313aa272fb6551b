// Which counters the next check compares with.
#pragma once

#include "healthcheck/readings.hpp"
#include "healthcheck/scope.hpp"

namespace yardmaster {

/// Subject of the kept counters in the state folder.
inline constexpr const char* kCounterSubject = "counters";

/// The baseline after a check. An object's is taken anew when it has none of this boot, when a
/// counter became smaller, when it is older than the window (rates are judged over windows), and
/// when its growth was reported: one event is one finding, not one at every job after it. Objects
/// of other jobs stay as they were; those of another boot go.
CounterBaseline next_baseline(const CheckScope& scope, const Readings& readings);

/// Whether it differs from what is kept: an unchanged one need not be written.
bool baseline_moves(const CounterBaseline& next, const CounterBaseline& kept);

}  // namespace yardmaster
