// What yardmaster-crossnode-probe says on its stdout.
#pragma once

#include "base/json_value.hpp"
#include "healthcheck/crossnode/cross_reading.hpp"

namespace yardmaster {

/// Adds what one line says, {"cross_edge": ...}, {"cross_step": ...} and so on, to `reading`.
/// `kind` is the member's name. kMalformed for a line that no probe writes.
Status apply_cross_line(const std::string& kind, const JsonNode& value, CrossReading& reading);

}  // namespace yardmaster
