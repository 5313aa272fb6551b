// Judges whether a rail can be addressed: its GIDs, and on Ethernet its network interface.
#pragma once

#include <vector>

#include "healthcheck/port/port_reading.hpp"
#include "healthcheck/verdict.hpp"

namespace yardmaster {

/// Findings on an active port: no GID at all ("port.gid", certain), on Ethernet no RoCE v2 GID
/// beside link-local ones ("port.gid", one sign: an address may yet come), an interface that is
/// down
/// ("port.netdev", one sign). What was not read is not judged.
std::vector<Finding> judge_address(const PortReading& reading);

}  // namespace yardmaster
