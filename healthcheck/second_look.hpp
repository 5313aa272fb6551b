// Signs that may pass by themselves are looked at twice before anything is done about them.
#pragma once

#include <vector>

#include "healthcheck/readings.hpp"
#include "healthcheck/scope.hpp"
#include "healthcheck/verdict.hpp"

namespace yardmaster {

/// Whether `finding` is of a state that may have been passing: a second reading then proves it, or
/// takes it back. Growth of counters and error rates are not: a second reading shows the same event
/// again, and would prove nothing.
bool wants_second_look(const Finding& finding);

/// The part of `scope` that must be read again for `findings`; no rail and no GPU when nothing has
/// to be.
CheckScope second_look_scope(const CheckScope& scope, const std::vector<Finding>& findings);

/// Marks what `readings.second_look` shows again as repeated, and makes of what it does not show
/// any more an unknown finding, which drains nothing. What was not read again stays as it was.
void judge_second_look(const CheckScope& scope,
                       const Readings& readings,
                       std::vector<Finding>& findings);

}  // namespace yardmaster
