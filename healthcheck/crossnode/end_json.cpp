#include "healthcheck/crossnode/end_json.hpp"

#include "healthcheck/crossnode/cross_json.hpp"
#include "healthcheck/json_fields.hpp"
#include "healthcheck/rdma/rdma_json.hpp"

namespace yardmaster {
namespace {

/// The windows of a stream; four today.
constexpr std::size_t kMostWindows = 64;
/// Bytes that are no UTF-8 become four characters each: it stays below what parsers take.
constexpr std::size_t kLongestWritten = 1000;
constexpr double kHighestGbps = 1e6;

Status read_gbps(const JsonNode& node, double& gbps) {
    const auto parsed = node.number(0, kHighestGbps);
    gbps = parsed ? *parsed : 0;
    return parsed.status();
}

// An end's two members stand beside the others of the object that it is the subject of.

JsonValue with_end(const CrossEnd& end) {
    return JsonValue::object()
        .set("edge", end.edge)
        .set("side", end.side == CrossSide::kFrom ? "from" : "to");
}

void read_end(JsonFields& fields, CrossEnd& end) {
    fields.read("edge", [&](const JsonNode& value) { return read_edge_id(value, end.edge); });
    fields.read("side", [&](const JsonNode& value) {
        const auto word = value.string();
        if (!word || (*word != "from" && *word != "to")) {
            return value.error("must be \"from\" or \"to\"");
        }
        end.side = *word == "from" ? CrossSide::kFrom : CrossSide::kTo;
        return Status::ok();
    });
}

template <typename Struct>
void read_struct(JsonFields& fields, const char* key, Struct& value) {
    fields.read(key, [&](const JsonNode& node) { return from_json(node, value); });
}

}  // namespace

std::string fit_text(const std::string& text) {
    return text.substr(0, kLongestWritten);
}

Status read_edge_id(const JsonNode& node, std::size_t& edge) {
    const auto parsed = node.integer(0, kMostEdges - 1);
    edge = parsed ? static_cast<std::size_t>(*parsed) : 0;
    return parsed.status();
}

JsonValue to_json(const RoundMessage::Task& task) {
    return with_end(task.end).set("own", to_json(task.own)).set("other", to_json(task.other));
}

Status from_json(const JsonNode& node, RoundMessage::Task& task) {
    JsonFields fields(node);
    read_end(fields, task.end);
    read_struct(fields, "own", task.own);
    read_struct(fields, "other", task.other);
    return fields.status();
}

JsonValue to_json(const OpenedEnd& opened) {
    JsonValue object = with_end(opened.end);
    if (opened.address) {
        object.set("address", to_json(*opened.address));
    }
    object.set("reading", to_json(opened.reading)).set("outcome", to_string(opened.outcome));
    object.set("error", fit_text(opened.error));
    return object;
}

Status from_json(const JsonNode& node, OpenedEnd& opened) {
    JsonFields fields(node);
    read_end(fields, opened.end);
    if (fields.has("address")) {
        read_struct(fields, "address", opened.address.emplace());
    }
    read_struct(fields, "reading", opened.reading);
    read_struct(fields, "outcome", opened.outcome);
    fields.string("error", opened.error);
    return fields.status();
}

JsonValue to_json(const ConnectMessage::Peer& peer) {
    return with_end(peer.end).set("address", to_json(peer.address));
}

Status from_json(const JsonNode& node, ConnectMessage::Peer& peer) {
    JsonFields fields(node);
    read_end(fields, peer.end);
    read_struct(fields, "address", peer.address);
    return fields.status();
}

JsonValue to_json(const ReadyMessage::Connected& connected) {
    return with_end(connected.end)
        .set("outcome", to_string(connected.outcome))
        .set("error", fit_text(connected.error));
}

Status from_json(const JsonNode& node, ReadyMessage::Connected& connected) {
    JsonFields fields(node);
    read_end(fields, connected.end);
    read_struct(fields, "outcome", connected.outcome);
    fields.string("error", connected.error);
    return fields.status();
}

JsonValue to_json(const EndResult& result) {
    JsonValue object = with_end(result.end);
    object.set("outcome", to_string(result.outcome)).set("error", fit_text(result.error));
    object.set("wc_status", result.wc_status).set("wc_text", result.wc_text);
    object.set("message_bytes", result.message_bytes).set("gbps", json_array_of(result.gbps));
    if (result.latency_us) {
        object.set("latency_us", *result.latency_us);
    }
    return object;
}

Status from_json(const JsonNode& node, EndResult& result) {
    JsonFields fields(node);
    read_end(fields, result.end);
    read_struct(fields, "outcome", result.outcome);
    fields.string("error", result.error);
    fields.integer("wc_status", result.wc_status);
    fields.string("wc_text", result.wc_text);
    fields.integer("message_bytes", result.message_bytes);
    fields.list("gbps", result.gbps, read_gbps, kMostWindows);
    fields.optional_number("latency_us", result.latency_us);
    return fields.status();
}

}  // namespace yardmaster
