// Judges what the NCCL probe measured.
#pragma once

#include <vector>

#include "healthcheck/nccl/nccl_reading.hpp"
#include "healthcheck/verdict.hpp"

namespace yardmaster {

/// Findings, a pure function of the reading. Wrong sums are certain. A size that is slow in both
/// passes makes the finding `repeated`; one that is slow once and good once is good. A fabric
/// manager's error is `repeated` when two runs of the probe met it. Below public figures is a
/// suspicion only, and nothing is concluded from a probe that did not come to its end.
std::vector<Finding> judge_nccl(const NcclReading& reading);

/// Whether the probe may be worth a second run before anything is concluded: it ended at an error
/// of the fabric manager, and did so once.
bool wants_second_attempt(const NcclReading& reading);

/// Adds this run to `baselines`, which are all that the node keeps. `findings` are those of the
/// whole check: with a degraded one, or any of NCCL's, nothing is learned.
void learn_from(const NcclReading& reading,
                const std::vector<Finding>& findings,
                NcclBaselines& baselines);

}  // namespace yardmaster
