// Reads ports below a sysfs root.
#pragma once

#include <string>

#include "healthcheck/port/port_reading.hpp"

namespace yardmaster {

/// Lists <sysfs_root>/class/infiniband.
PortInventory read_port_inventory(const std::string& sysfs_root);

/// Reads one port with all its counters. Never fails: what could not be read is absent.
PortReading read_port(const std::string& sysfs_root, const std::string& device, unsigned port);

}  // namespace yardmaster
