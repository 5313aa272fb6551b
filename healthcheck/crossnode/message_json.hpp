// The bodies of a meeting's messages in JSON. Private to cross_message.cpp.
#pragma once

#include "base/json_value.hpp"
#include "healthcheck/crossnode/cross_message.hpp"

namespace yardmaster {

JsonValue to_json(const HelloMessage& message);
JsonValue to_json(const RoundMessage& message);
JsonValue to_json(const EndsMessage& message);
JsonValue to_json(const ConnectMessage& message);
JsonValue to_json(const ReadyMessage& message);
JsonValue to_json(const GoMessage& message);
JsonValue to_json(const DoneMessage& message);
JsonValue to_json(const OverMessage& message);

/// Each reads what to_json wrote, of a peer that is not trusted; kMalformed with the place of the
/// first fault. An end that is named twice is one, too.
Status from_json(const JsonNode& node, HelloMessage& message);
Status from_json(const JsonNode& node, RoundMessage& message);
Status from_json(const JsonNode& node, EndsMessage& message);
Status from_json(const JsonNode& node, ConnectMessage& message);
Status from_json(const JsonNode& node, ReadyMessage& message);
Status from_json(const JsonNode& node, GoMessage& message);
Status from_json(const JsonNode& node, DoneMessage& message);
Status from_json(const JsonNode& node, OverMessage& message);

}  // namespace yardmaster
