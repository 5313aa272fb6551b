// The RDMA readings in evidence files and on the probe's stdout.
#pragma once

#include "base/json_value.hpp"
#include "healthcheck/rdma/rdma_reading.hpp"

namespace yardmaster {

JsonValue to_json(const RdmaEndReading& end);
JsonValue to_json(const RdmaPairReading& pair);
/// All of a run that was asked for.
JsonValue to_json(const RdmaReading& reading);

/// Each reads what to_json wrote, of ports and outcomes port_name and to_string; kMalformed with
/// the place of the first fault.
Status from_json(const JsonNode& node, RdmaPort& port);
Status from_json(const JsonNode& node, RdmaOutcome& outcome);
Status from_json(const JsonNode& node, RdmaEndReading& end);
Status from_json(const JsonNode& node, RdmaPairReading& pair);
Status from_json(const JsonNode& node, RdmaReading& reading);

/// Adds what one line of the probe says, {"rdma_pair": ...}, {"rdma_step": ...} and so on, to
/// `reading`. `kind` is the member's name. kMalformed for a line that no probe writes.
Status apply_rdma_line(const std::string& kind, const JsonNode& value, RdmaReading& reading);

}  // namespace yardmaster
