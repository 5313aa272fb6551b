#include "healthcheck/crossnode/cross_json.hpp"

#include <algorithm>
#include <cctype>

#include "healthcheck/json_fields.hpp"
#include "healthcheck/rdma/rdma_json.hpp"

namespace yardmaster {
namespace {

constexpr std::size_t kLongestNodeName = 255;

bool is_of_a_name(unsigned char c) {
    return std::isalnum(c) != 0 || c == '.' || c == '-' || c == '_';
}

JsonValue peer_to_json(const CrossPeer& peer) {
    return to_json(peer);
}

JsonValue edge_to_json(const CrossEdge& edge) {
    return to_json(edge);
}

Status purpose_from_json(const JsonNode& node, CrossPurpose& purpose) {
    const auto word = node.string();
    const auto parsed = word ? parse_cross_purpose(*word) : Result<CrossPurpose>(word.status());
    if (!parsed) {
        return node.error(parsed.status().message());
    }
    purpose = *parsed;
    return Status::ok();
}

}  // namespace

Status read_node_name(const JsonNode& node, std::string& name) {
    const auto text = node.string();
    if (!text || text->empty() || text->size() > kLongestNodeName ||
        !std::all_of(text->begin(), text->end(), is_of_a_name)) {
        return node.error("must be a node's name: 1 to 255 letters, digits, '.', '-' and '_'");
    }
    name = *text;
    return Status::ok();
}

Status check_about(const JsonNode& node, const std::vector<CrossEdge>& edges) {
    const auto good = [&](const CrossEdge& edge) {
        return !edge.about ||
               (*edge.about < edges.size() && edges[*edge.about].purpose == CrossPurpose::kRing);
    };
    return std::all_of(edges.begin(), edges.end(), good)
               ? Status::ok()
               : Status(ErrorCode::kMalformed,
                        node.path() + ": has an edge that is about none of the ring's");
}

JsonValue to_json(const CrossPort& port) {
    return JsonValue::object()
        .set("node", port.node)
        .set("port", port_name(port.port))
        .set("rail", port.rail)
        .set("leaf", port.leaf);
}

JsonValue to_json(const CrossPeer& peer) {
    return JsonValue::object().set("node", peer.node).set("came", peer.came).set("why", peer.why);
}

JsonValue to_json(const CrossEdge& edge) {
    JsonValue object = JsonValue::object();
    object.set("from", to_json(edge.from)).set("to", to_json(edge.to));
    object.set("purpose", to_string(edge.purpose));
    if (edge.about) {
        object.set("about", *edge.about);
    }
    object.set("measured", to_json(edge.measured));
    return object;
}

JsonValue to_json(const CrossReading& reading) {
    return JsonValue::object()
        .set("needed", reading.needed)
        .set("not_run", reading.not_run)
        .set("step", reading.step)
        .set("error", reading.error)
        .set("ended", reading.ended)
        .set("max_loss", reading.max_loss)
        .set("peers", json_array_of(reading.peers, peer_to_json))
        .set("edges", json_array_of(reading.edges, edge_to_json));
}

Status from_json(const JsonNode& node, CrossPort& port) {
    JsonFields fields(node);
    fields.read("node", [&](const JsonNode& value) { return read_node_name(value, port.node); });
    fields.read("port", [&](const JsonNode& value) { return from_json(value, port.port); });
    fields.integer("rail", port.rail);
    fields.string("leaf", port.leaf);
    return fields.status();
}

Status from_json(const JsonNode& node, CrossPeer& peer) {
    JsonFields fields(node);
    fields.read("node", [&](const JsonNode& value) { return read_node_name(value, peer.node); });
    fields.boolean("came", peer.came);
    fields.string("why", peer.why);
    return fields.status();
}

Status from_json(const JsonNode& node, CrossEdge& edge) {
    JsonFields fields(node);
    fields.read("from", [&](const JsonNode& value) { return from_json(value, edge.from); });
    fields.read("to", [&](const JsonNode& value) { return from_json(value, edge.to); });
    fields.read("purpose",
                [&](const JsonNode& value) { return purpose_from_json(value, edge.purpose); });
    fields.optional_integer("about", edge.about);
    fields.read("measured", [&](const JsonNode& value) { return from_json(value, edge.measured); });
    if (fields.status() && edge.about.has_value() != (edge.purpose != CrossPurpose::kRing)) {
        return node.error("must be about an edge of the ring unless it is one");
    }
    edge.measured.from.port = edge.from.port;
    edge.measured.to.port = edge.to.port;
    return fields.status();
}

Status from_json(const JsonNode& node, CrossReading& reading) {
    JsonFields fields(node);
    reading.asked = true;
    fields.boolean("needed", reading.needed);
    fields.string("not_run", reading.not_run);
    fields.string("step", reading.step);
    fields.string("error", reading.error);
    fields.boolean("ended", reading.ended);
    fields.number("max_loss", reading.max_loss);
    fields.list("peers", reading.peers, [](const JsonNode& value, CrossPeer& peer) {
        return from_json(value, peer);
    });
    fields.list("edges", reading.edges, [](const JsonNode& value, CrossEdge& edge) {
        return from_json(value, edge);
    });
    return fields.status() ? check_about(node, reading.edges) : fields.status();
}

}  // namespace yardmaster
