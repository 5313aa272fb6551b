// Writes the part of a sysfs tree that Yardmaster reads: RDMA devices with their ports and
// counters, GPUs, and the PCIe paths that say which of them are neighbours.
#pragma once

#include <string>

#include "base/status.hpp"
#include "tests/sim/node_settings.hpp"

namespace yardmaster::sim {

/// Writes the node's tree below `root` (a folder that stands for /sys), all ports healthy.
Status write_sysfs(const NodeSettings& settings, const std::string& root);

/// The folder of a device's port, <root>/class/infiniband/<device>/ports/1.
std::string port_folder(const std::string& root, const std::string& device);

/// "400 Gb/sec (4X NDR)" for 400, as the kernel prints it (sysfs.c, rate_show).
std::string rate_text(double gbps);

/// Replaces the content of a file that is there; kNotFound when it is not.
Status set_file(const std::string& file, const std::string& text);

/// PCI address of the node's GPU with this minor, "0000:14:00.0".
std::string gpu_address(const NodeSettings& settings, unsigned minor);

}  // namespace yardmaster::sim
