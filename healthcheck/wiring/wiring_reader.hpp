// Reads the node's PCIe tree through hwloc.
#pragma once

#include <string>

#include "healthcheck/wiring/wiring_reading.hpp"

namespace yardmaster {

/// Loads the tree below `sysfs_root`, which must end in "/sys": hwloc takes the root above it. Call
/// it in a child of its own: it changes the process's environment (HWLOC_*) and takes as long as
/// the drivers of all PCI devices do. Never fails: what could not be read says why.
WiringReading read_wiring(const std::string& sysfs_root);

}  // namespace yardmaster
