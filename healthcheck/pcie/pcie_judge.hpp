// Judges the PCIe links of the job's GPUs and rails.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "healthcheck/readings.hpp"
#include "healthcheck/scope.hpp"
#include "healthcheck/verdict.hpp"

namespace yardmaster {

/// Findings on the way from each GPU and rail NIC of the scope to the root complex: a link narrower
/// than both its ends can be ("pcie.width", certain), a device that can do less than its equals on
/// the node ("pcie.generation"), errors that grew ("pcie.errors"). The current generation is not
/// judged: an idle link is slow on purpose, and a node before a job is idle. A pure function.
std::vector<Finding> judge_pcie(const CheckScope& scope, const Readings& readings);

/// One finding when the device's errors grew more than they may since the baseline; never certain.
/// `name` is how the finding calls the device.
std::optional<Finding> judge_pcie_errors(const std::string& name,
                                         const PciReading& device,
                                         const CounterLimits& limits,
                                         const Readings& readings);

}  // namespace yardmaster
