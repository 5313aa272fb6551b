// Judges ports against the rails that the fabric file promises.
#pragma once

#include <vector>

#include "healthcheck/port/port_reading.hpp"
#include "healthcheck/scope.hpp"
#include "healthcheck/verdict.hpp"

namespace yardmaster {

/// Findings for the scope's rails, in the scope's order; a pure function of its arguments. A rail
/// without a reading in `ports` is unknown.
std::vector<Finding> judge_ports(const CheckScope& scope,
                                 const PortInventory& inventory,
                                 const std::vector<PortReading>& ports);

}  // namespace yardmaster
