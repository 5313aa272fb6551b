// Judges what the nodes measured between each other.
#pragma once

#include <string>
#include <vector>

#include "healthcheck/crossnode/cross_reading.hpp"
#include "healthcheck/verdict.hpp"

namespace yardmaster {

/// Findings about the ports of `node`, and about peers that did not come; a pure function of the
/// reading. A port that is a culprit (cross_conclusion.hpp) is degraded, except
/// - a slow one when what shows it leaves its leaf group: traffic of others slows the tiers above;
/// - when half of the ports that were measured on its leaf switch or in its leaf group, on two
/// nodes
///   at least, are culprits, or half of all ports: then it is the switch or the fabric.
/// Those, bad pairs of good ports and what nobody could decide are unknown: no node's fault.
std::vector<Finding> judge_cross(const CrossReading& reading, const std::string& node);

}  // namespace yardmaster
