// NCCL readings as JSON: in evidence, and as the lines of yardmaster-nccl-probe.
#pragma once

#include "base/json_value.hpp"
#include "healthcheck/nccl/nccl_reading.hpp"

namespace yardmaster {

JsonValue to_json(const NcclBandwidth& bandwidth);
JsonValue to_json(const NcclGpu& gpu);
JsonValue to_json(const NcclReading& reading);
/// Reads what to_json wrote; kMalformed with the place of the first fault.
Status from_json(const JsonNode& node, NcclBandwidth& bandwidth);
Status from_json(const JsonNode& node, NcclReading& reading);

/// The part of an attempt that is known once the communicators are made: the line `nccl_setup`.
JsonValue setup_to_json(const NcclAttempt& attempt);
Status setup_from_json(const JsonNode& node, NcclAttempt& attempt);

/// Adds what one line of the check says to `reading`: nccl_probe (an attempt begins), nccl_step,
/// nccl_setup, nccl_size, nccl_sums, nccl_error, nccl_end; nccl_baseline and nccl_note from the
/// state folder. kMalformed for a line that nobody writes.
Status apply_nccl_line(const std::string& kind, const JsonNode& value, NcclReading& reading);

}  // namespace yardmaster
