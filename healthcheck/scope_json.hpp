// The scope in evidence files.
#pragma once

#include "base/json_value.hpp"
#include "healthcheck/scope.hpp"

namespace yardmaster {

JsonValue to_json(const CheckScope& scope);
/// Reads what to_json wrote; kMalformed with the place of the first fault.
Status from_json(const JsonNode& node, CheckScope& scope);

}  // namespace yardmaster
