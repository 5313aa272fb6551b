// Holds the node's PCIe tree against the fabric file's GPU-to-NIC truth.
#pragma once

#include <vector>

#include "healthcheck/readings.hpp"
#include "healthcheck/scope.hpp"
#include "healthcheck/verdict.hpp"

namespace yardmaster {

/// One unknown finding ("wiring.nearest") for each GPU of the scope to which another NIC is nearer
/// than the one the fabric file names: NICs were renamed, or the node is wired otherwise. The
/// detail has the `exceptions` entry that would describe it. It never drains: the file may be what
/// is wrong. Virtual functions, bonds and the default route's NIC are nobody's rail and not
/// compared.
std::vector<Finding> judge_wiring(const CheckScope& scope, const Readings& readings);

/// The rails of the scope's GPUs where no fabric file names them: for each GPU the nearest NICs
/// that can be rails, by PCIe, with their rate unknown (0). None where GPUs and NICs meet in the
/// CPUs only.
std::vector<ExpectedRail> near_rails(const CheckScope& scope, const Readings& readings);

}  // namespace yardmaster
