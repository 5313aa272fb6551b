// Judges how a GPU's error counters have grown since an earlier check of the same boot and driver.
#pragma once

#include <string>
#include <vector>

#include "healthcheck/readings.hpp"
#include "healthcheck/scope.hpp"
#include "healthcheck/verdict.hpp"

namespace yardmaster {

/// At most two findings, neither of them certain, for the GPU that is called `name`:
/// - "nvlink.growth": counts of its NVLinks grew more than they may. All links and counts together
///   are one sign: a bad link moves several, and both its ends. Links that are not active are left
///   out, as that is said elsewhere, and so are all of a GPU in MIG mode, which sends nothing
///   there.
/// - "pcie.errors": NVML's count of PCIe replays grew more than it may. The sign is that of the
///   kernel's PCIe error counters, because a replay can show in both.
/// A pure function; without a baseline there is nothing to judge.
std::vector<Finding> judge_gpu_growth(const std::string& name,
                                      const GpuReading& gpu,
                                      const CounterLimits& limits,
                                      const Readings& readings);

}  // namespace yardmaster
