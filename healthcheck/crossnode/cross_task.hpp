// The check between a job's nodes as work for a child, with a part before it for whoever schedules.
#pragma once

#include "healthcheck/budget/collect.hpp"
#include "healthcheck/crossnode/cross_reading.hpp"
#include "healthcheck/scope.hpp"

namespace yardmaster {

/// Shortest time in which coming is worth while: the others' prologs begin within milliseconds, and
/// a healthy meeting takes a fraction of this.
inline constexpr std::chrono::milliseconds kCrossLeastTime{1000};

/// Readies `reading` for a run: whether it is asked for, its limits, and why it cannot run
/// (not_run). False when there is nothing to run.
bool plan_cross(const CheckScope& scope, const CheckSources& sources, CrossReading& reading);

/// Runs yardmaster-crossnode-probe and sends its lines (apply_cross_line). The probe gets an empty
/// environment, ends by itself after `budget` and dies with its parent. `proven`: every rail of the
/// scope has passed lately.
Task cross_task(const CheckScope& scope,
                const CheckSources& sources,
                std::chrono::milliseconds budget,
                bool proven);

/// Runs the whole check in the time until `deadline`; `on_line` as for collect.
std::vector<TaskEnd> run_cross(const CheckScope& scope,
                               const CheckSources& sources,
                               bool proven,
                               Clock::time_point deadline,
                               const std::function<Clock::time_point(const std::string&)>& on_line);

}  // namespace yardmaster
