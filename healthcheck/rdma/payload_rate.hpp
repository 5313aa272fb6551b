// What a port can carry for its users.
#pragma once

#include <optional>

#include "healthcheck/rdma/rdma_reading.hpp"

namespace yardmaster {

/// Payload of large writes between the two ends at their active rates, in Gb/s: the slower end's
/// rate less the headers around each packet. None where a rate is unreadable, and where the PCIe
/// link of an end is about as slow as that or slower: then a low value says nothing of the port.
std::optional<double> payload_gbps(const RdmaPairReading& pair);

/// What a baseline of this pair holds for: rates, firmware, MTU, PCIe, memory, message size.
std::string conditions_of(const RdmaPairReading& pair);

/// The best window, 0 without any: traffic of others and interrupts only ever take away.
double best_gbps(const RdmaPairReading& pair);

}  // namespace yardmaster
