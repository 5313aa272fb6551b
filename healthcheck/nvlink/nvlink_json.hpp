// NVLink readings in evidence.
#pragma once

#include "base/json_value.hpp"
#include "healthcheck/nvlink/nvlink_reading.hpp"

namespace yardmaster {

JsonValue to_json(const NvlinkReading& reading);
/// Reads what to_json wrote; kMalformed with the place of the first fault.
Status from_json(const JsonNode& node, NvlinkReading& reading);

}  // namespace yardmaster
