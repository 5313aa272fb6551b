// NVML's numbers in evidence.
#pragma once

#include "base/json_value.hpp"
#include "healthcheck/gpu/nvml_number.hpp"
#include "healthcheck/json_fields.hpp"

namespace yardmaster {

/// [code, value]: short, because a node has hundreds of links.
JsonValue nvml_to_json(const NvmlNumber& number);
/// kMalformed for anything else.
Status nvml_from_json(const JsonNode& node, NvmlNumber& number);

void read_nvml_number(JsonFields& fields, const char* key, NvmlNumber& number);
/// For a member that older evidence lacks: left as it is when absent.
void read_newer_nvml_number(JsonFields& fields, const char* key, NvmlNumber& number);

}  // namespace yardmaster
