// What messages say of single ends, in JSON. Private to message_json.cpp.
#pragma once

#include "base/json_value.hpp"
#include "healthcheck/crossnode/cross_message.hpp"

namespace yardmaster {

/// Edges' ids are below this: a thousand nodes with all their rails' edges measured four times.
inline constexpr std::size_t kMostEdges = 262'144;

JsonValue to_json(const RoundMessage::Task& task);
JsonValue to_json(const OpenedEnd& opened);
JsonValue to_json(const ConnectMessage::Peer& peer);
JsonValue to_json(const ReadyMessage::Connected& connected);
JsonValue to_json(const EndResult& result);

/// Each reads what to_json wrote, of a peer that is not trusted; kMalformed with the place of the
/// first fault.
Status from_json(const JsonNode& node, RoundMessage::Task& task);
Status from_json(const JsonNode& node, OpenedEnd& opened);
Status from_json(const JsonNode& node, ConnectMessage::Peer& peer);
Status from_json(const JsonNode& node, ReadyMessage::Connected& connected);
Status from_json(const JsonNode& node, EndResult& result);

/// `text` as it may stand in a message: its first 1000 bytes.
std::string fit_text(const std::string& text);

Status read_edge_id(const JsonNode& node, std::size_t& edge);

}  // namespace yardmaster
