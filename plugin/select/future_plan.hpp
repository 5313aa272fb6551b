// Backfill's question: when can a job start that has no place now?
#pragma once

namespace yardmaster {

struct Question;

/// Finds the earliest time at which the placer has a set, counting every job's time limit, and has
/// stock simulate those few nodes instead of the whole cluster. True when stock planned a start
/// that is as early as that time allows (soft hints), or the earliest it found (hard hints).
/// Bounded in calls and time. On true the last call of stock was the accepted one.
bool plan_future(Question& question);

}  // namespace yardmaster
