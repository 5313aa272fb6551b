// The checks that put load on the node, in the order in which they get the time that is left.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "healthcheck/baseline/proven.hpp"
#include "healthcheck/budget/collect.hpp"
#include "healthcheck/readings.hpp"
#include "healthcheck/scope.hpp"
#include "healthcheck/verdict.hpp"

namespace yardmaster {

/// One such check. Its functions work on the readings that active_checks was given.
struct ActiveCheck {
    std::string name;                      ///< "RDMA", for people, and in what is kept of a pass
    std::chrono::milliseconds least_time;  ///< with less time left it is not begun
    /// Whether a recent pass may stand for a run: not where the policy says "on".
    bool may_skip = true;
    /// Set where that is for several nodes to agree on: told of a recent pass instead of `skip`,
    /// and run all the same.
    std::function<void()> passed_lately = nullptr;
    /// Readies the readings; false when there is nothing to run. What was in the way is said there.
    std::function<bool()> plan;
    /// What a pass proves, with the counters that the passive readers read of it; after plan().
    std::function<std::vector<ProvenObject>()> objects;
    /// Notes why it is not run although there would be something to run.
    std::function<void(const std::string& why)> skip;
    /// Runs it in children of its own until `deadline` at the latest; `on_line` as for collect.
    std::function<std::vector<TaskEnd>(
        Clock::time_point deadline,
        const std::function<Clock::time_point(const std::string&)>& on_line)>
        run;
    /// Why it did not run; "" when it ran or was not asked for.
    std::function<std::string()> not_run;
    std::function<bool()> ran;  ///< whether it measured anything
    /// After ran(): whether it came to its end, was held against earlier runs, and `findings` has
    /// nothing of it.
    std::function<bool(const std::vector<Finding>& findings)> passed;
};

/// The checks by priority. All three are borrowed: the checks must not outlive them. `scope` names
/// its GPUs by minor (number_by_minor).
std::vector<ActiveCheck> active_checks(const CheckScope& scope,
                                       const CheckSources& sources,
                                       Readings& readings);

/// The kept passes with what has passed now, and without what has not. Passes of other objects
/// stay; those of another boot or driver go. `readings` and `findings` are of a run that is over.
ProvenState next_proven(const CheckScope& scope,
                        const CheckSources& sources,
                        const Readings& readings,
                        const std::vector<Finding>& findings);

}  // namespace yardmaster
