#include "healthcheck/crossnode/message_json.hpp"

#include <set>

#include "healthcheck/crossnode/cross_json.hpp"
#include "healthcheck/crossnode/end_json.hpp"
#include "healthcheck/json_fields.hpp"

namespace yardmaster {
namespace {

/// No node has as many rails. A round has two ends of each, at most.
constexpr std::size_t kMostPorts = 64;
constexpr std::size_t kMostEnds = 2 * kMostPorts;
constexpr std::size_t kMostPeers = 65'536;
constexpr double kLongestStayS = 86'400;

template <typename Item>
JsonValue array_of(const std::vector<Item>& items) {
    return json_array_of(items, [](const Item& item) { return to_json(item); });
}

template <typename Item>
void read_list(JsonFields& fields, const char* key, std::size_t most, std::vector<Item>& items) {
    fields.list(
        key, items, [](const JsonNode& node, Item& item) { return from_json(node, item); }, most);
}

template <typename Item>
Status all_different(const JsonNode& node, const std::vector<Item>& items) {
    std::set<CrossEnd> seen;
    for (const Item& item : items) {
        if (!seen.insert(item.end).second) {
            return {ErrorCode::kMalformed, node.path() + ": names an end twice"};
        }
    }
    return Status::ok();
}

template <typename Item>
Status read_ends(const JsonNode& node, const char* key, std::vector<Item>& items) {
    JsonFields fields(node);
    read_list(fields, key, kMostEnds, items);
    return fields.status() ? all_different(node, items) : fields.status();
}

Status read_left(const JsonNode& node, double& left_s) {
    const auto parsed = node.number(0, kLongestStayS);
    left_s = parsed ? *parsed : 0;
    return parsed.status();
}

/// All of the node that says so, and none twice.
Status check_ports(const JsonNode& node, const HelloMessage& message) {
    std::set<std::string> seen;
    for (const CrossPort& port : message.ports) {
        if (port.node != message.node || !seen.insert(port_name(port)).second) {
            return {ErrorCode::kMalformed,
                    node.path() + ": names the port " + port_name(port) +
                        (port.node != message.node ? ", of another node" : " twice")};
        }
    }
    return Status::ok();
}

}  // namespace

JsonValue to_json(const HelloMessage& message) {
    return JsonValue::object()
        .set("version", message.version)
        .set("job", message.meeting.job)
        .set("restarts", message.meeting.restarts)
        .set("node", message.node)
        .set("left_s", message.left_s)
        .set("proven", message.proven)
        .set("ports", array_of(message.ports));
}

JsonValue to_json(const RoundMessage& message) {
    return JsonValue::object().set("tasks", array_of(message.tasks));
}

JsonValue to_json(const EndsMessage& message) {
    return JsonValue::object().set("ends", array_of(message.ends));
}

JsonValue to_json(const ConnectMessage& message) {
    return JsonValue::object().set("peers", array_of(message.peers));
}

JsonValue to_json(const ReadyMessage& message) {
    return JsonValue::object().set("ends", array_of(message.ends));
}

JsonValue to_json(const GoMessage& message) {
    return JsonValue::object()
        .set("edges", json_array_of(message.edges))
        .set("budget_s", message.budget_s);
}

JsonValue to_json(const DoneMessage& message) {
    return JsonValue::object().set("ends", array_of(message.ends));
}

JsonValue to_json(const OverMessage& message) {
    return JsonValue::object()
        .set("note", message.note)
        .set("peers", array_of(message.peers))
        .set("edges", array_of(message.edges));
}

Status from_json(const JsonNode& node, HelloMessage& message) {
    JsonFields fields(node);
    fields.integer("version", message.version);
    fields.integer("job", message.meeting.job);
    fields.integer("restarts", message.meeting.restarts);
    fields.read("node", [&](const JsonNode& value) { return read_node_name(value, message.node); });
    fields.read("left_s", [&](const JsonNode& value) { return read_left(value, message.left_s); });
    fields.boolean("proven", message.proven);
    read_list(fields, "ports", kMostPorts, message.ports);
    return fields.status() ? check_ports(node, message) : fields.status();
}

Status from_json(const JsonNode& node, RoundMessage& message) {
    return read_ends(node, "tasks", message.tasks);
}

Status from_json(const JsonNode& node, EndsMessage& message) {
    return read_ends(node, "ends", message.ends);
}

Status from_json(const JsonNode& node, ConnectMessage& message) {
    return read_ends(node, "peers", message.peers);
}

Status from_json(const JsonNode& node, ReadyMessage& message) {
    return read_ends(node, "ends", message.ends);
}

Status from_json(const JsonNode& node, GoMessage& message) {
    JsonFields fields(node);
    fields.list("edges", message.edges, read_edge_id, kMostEdges);
    fields.read("budget_s",
                [&](const JsonNode& value) { return read_left(value, message.budget_s); });
    return fields.status();
}

Status from_json(const JsonNode& node, DoneMessage& message) {
    return read_ends(node, "ends", message.ends);
}

Status from_json(const JsonNode& node, OverMessage& message) {
    JsonFields fields(node);
    fields.string("note", message.note);
    read_list(fields, "peers", kMostPeers, message.peers);
    read_list(fields, "edges", kMostEdges, message.edges);
    return fields.status() ? check_about(node, message.edges) : fields.status();
}

}  // namespace yardmaster
