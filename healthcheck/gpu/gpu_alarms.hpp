// What the driver itself says is wrong with a GPU: the action that it asks for, and why its clocks
// are held down.
#pragma once

#include <string>
#include <vector>

#include "healthcheck/gpu/gpu_reading.hpp"
#include "healthcheck/verdict.hpp"

namespace yardmaster {

/// Findings for the GPU that is called `name`; a pure function of its arguments.
void judge_recovery_action(const std::string& name,
                           const GpuReading& gpu,
                           std::vector<Finding>& findings);

/// Only heat and the power brake are alarms. A hardware slowdown alone also shows when the
/// performance state changes; idleness and the power cap are a GPU's daily life.
void judge_clock_reasons(const std::string& name,
                         const GpuReading& gpu,
                         std::vector<Finding>& findings);

}  // namespace yardmaster
