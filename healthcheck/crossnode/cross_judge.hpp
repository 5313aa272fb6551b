// Judges what the nodes measured between each other.
#pragma once

#include <string>
#include <vector>

#include "healthcheck/crossnode/cross_reading.hpp"
#include "healthcheck/verdict.hpp"

namespace yardmaster {

/// Findings about the ports of `node`, and about peers that did not come; a pure function of the
/// reading. A port is degraded when an edge was bad twice, the port was bad with a third party too,
/// and the edge's other end was good with one. A slow port only where that third party is in its
/// own leaf group: traffic of others slows what crosses the tiers above. A bad pair of good ports,
/// what no third party could decide, and leaf groups most of whose ports are bad, are unknown: no
/// node's fault.
std::vector<Finding> judge_cross(const CrossReading& reading, const std::string& node);

}  // namespace yardmaster
