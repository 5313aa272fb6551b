// Reads what tells the roles of RDMA devices.
#pragma once

#include <string>
#include <vector>

#include "healthcheck/port/port_role.hpp"

namespace yardmaster {

/// Interfaces that a default route (IPv4 or IPv6) leaves through, from <proc_root>/net.
std::vector<std::string> default_route_interfaces(const std::string& proc_root);

/// Reads one device. Never fails: what could not be read is empty.
PortIdentity read_identity(const std::string& sysfs_root,
                           const std::string& device,
                           const std::vector<std::string>& default_routes);

}  // namespace yardmaster
