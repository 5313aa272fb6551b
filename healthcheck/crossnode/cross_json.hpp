// The readings between nodes, in evidence files and in the messages of a meeting.
#pragma once

#include "base/json_value.hpp"
#include "healthcheck/crossnode/cross_reading.hpp"

namespace yardmaster {

JsonValue to_json(const CrossPort& port);
JsonValue to_json(const CrossPeer& peer);
JsonValue to_json(const CrossEdge& edge);
/// All of a run that was asked for.
JsonValue to_json(const CrossReading& reading);

/// Each reads what to_json wrote, of a peer that is not trusted: kMalformed with the place of the
/// first fault. Ports of an edge's measurement are those of the edge.
Status from_json(const JsonNode& node, CrossPort& port);
Status from_json(const JsonNode& node, CrossPeer& peer);
Status from_json(const JsonNode& node, CrossEdge& edge);
/// An edge that is about no edge of the ring in the same reading is kMalformed too.
Status from_json(const JsonNode& node, CrossReading& reading);

/// A node's name: 1 to 255 letters, digits, '.', '-' and '_'.
Status read_node_name(const JsonNode& node, std::string& name);
/// That each edge that is about another one is about one of the ring in `edges`.
Status check_about(const JsonNode& node, const std::vector<CrossEdge>& edges);

}  // namespace yardmaster
