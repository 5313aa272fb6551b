// The verdict as a pure function of scope and readings, so that evidence replays to the same
// verdict.
#pragma once

#include <vector>

#include "healthcheck/readings.hpp"
#include "healthcheck/scope.hpp"
#include "healthcheck/verdict.hpp"

namespace yardmaster {

/// All findings: ports, then GPUs, NVLinks, PCIe links, growth of counters, wiring, RDMA, NCCL.
/// Where no fabric file names the rails, the NICs nearest to the GPUs stand for them.
std::vector<Finding> judge(const CheckScope& scope, const Readings& readings);

}  // namespace yardmaster
