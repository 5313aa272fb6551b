#include "healthcheck/rdma/rdma_json.hpp"

#include "base/json_value.hpp"
#include "healthcheck/json_fields.hpp"

namespace yardmaster {
namespace {

constexpr RdmaOutcome kOutcomes[] = {RdmaOutcome::kMeasured,
                                     RdmaOutcome::kFailed,
                                     RdmaOutcome::kNoGid,
                                     RdmaOutcome::kPortDown,
                                     RdmaOutcome::kUnreachable,
                                     RdmaOutcome::kBroken,
                                     RdmaOutcome::kBadData,
                                     RdmaOutcome::kTooSlow};

JsonValue pair_to_json(const RdmaPairReading& pair) {
    return to_json(pair);
}

JsonValue baseline_to_json(const RdmaBaseline& baseline) {
    return to_json(baseline);
}

}  // namespace

std::string_view to_string(RdmaOutcome outcome) {
    switch (outcome) {
        case RdmaOutcome::kMeasured:
            return "measured";
        case RdmaOutcome::kNoGid:
            return "no-gid";
        case RdmaOutcome::kPortDown:
            return "port-down";
        case RdmaOutcome::kUnreachable:
            return "unreachable";
        case RdmaOutcome::kBroken:
            return "broken";
        case RdmaOutcome::kBadData:
            return "bad-data";
        case RdmaOutcome::kTooSlow:
            return "too-slow";
        case RdmaOutcome::kFailed:
            break;
    }
    return "failed";
}

Result<RdmaOutcome> parse_rdma_outcome(std::string_view word) {
    for (const RdmaOutcome outcome : kOutcomes) {
        if (word == to_string(outcome)) {
            return outcome;
        }
    }
    return Status(ErrorCode::kMalformed,
                  "\"" + std::string(word) + "\" is no outcome of an RDMA measurement");
}

JsonValue to_json(const RdmaEndReading& end) {
    JsonValue object = JsonValue::object();
    object.set("port", port_name(end.port)).set("rate", end.rate).set("firmware", end.firmware);
    object.set("ethernet", end.ethernet).set("mtu_bytes", end.mtu_bytes);
    object.set("gid_index", end.gid_index).set("gid", end.gid).set("gid_scope", end.gid_scope);
    object.set("memory", end.memory);
    if (end.pcie_gbps) {
        object.set("pcie_gbps", *end.pcie_gbps);
    }
    return object;
}

JsonValue to_json(const RdmaPairReading& pair) {
    JsonValue object = JsonValue::object();
    object.set("from", to_json(pair.from)).set("to", to_json(pair.to));
    object.set("self_loop", pair.pair().self_loop()).set("attempt", pair.attempt);
    object.set("outcome", to_string(pair.outcome)).set("failed_port", pair.failed_port);
    object.set("error", pair.error).set("wc_status", pair.wc_status).set("wc_text", pair.wc_text);
    object.set("message_bytes", pair.message_bytes).set("gbps", json_array_of(pair.gbps));
    if (pair.latency_us) {
        object.set("latency_us", *pair.latency_us);
    }
    return object;
}

Status from_json(const JsonNode& node, RdmaPort& port) {
    const auto text = node.string();
    auto parsed = text ? parse_rdma_port(*text) : Result<RdmaPort>(text.status());
    if (!parsed) {
        return node.error(parsed.status().message());
    }
    port = std::move(parsed).value();
    return Status::ok();
}

Status from_json(const JsonNode& node, RdmaOutcome& outcome) {
    const auto word = node.string();
    const auto parsed = word ? parse_rdma_outcome(*word) : Result<RdmaOutcome>(word.status());
    if (!parsed) {
        return node.error(parsed.status().message());
    }
    outcome = *parsed;
    return Status::ok();
}

Status from_json(const JsonNode& node, RdmaEndReading& end) {
    JsonFields fields(node);
    fields.read("port", [&](const JsonNode& value) { return from_json(value, end.port); });
    fields.string("rate", end.rate);
    fields.string("firmware", end.firmware);
    fields.boolean("ethernet", end.ethernet);
    fields.integer("mtu_bytes", end.mtu_bytes);
    fields.integer("gid_index", end.gid_index);
    fields.string("gid", end.gid);
    fields.string("gid_scope", end.gid_scope);
    fields.string("memory", end.memory);
    fields.optional_number("pcie_gbps", end.pcie_gbps);
    return fields.status();
}

Status from_json(const JsonNode& node, RdmaPairReading& pair) {
    JsonFields fields(node);
    fields.read("from", [&](const JsonNode& value) { return from_json(value, pair.from); });
    fields.read("to", [&](const JsonNode& value) { return from_json(value, pair.to); });
    fields.integer("attempt", pair.attempt);
    fields.read("outcome", [&](const JsonNode& value) { return from_json(value, pair.outcome); });
    fields.string("failed_port", pair.failed_port);
    fields.string("error", pair.error);
    fields.integer("wc_status", pair.wc_status);
    fields.string("wc_text", pair.wc_text);
    fields.integer("message_bytes", pair.message_bytes);
    fields.numbers("gbps", pair.gbps);
    fields.optional_number("latency_us", pair.latency_us);
    return fields.status();
}

JsonValue to_json(const RdmaReading& reading) {
    return JsonValue::object()
        .set("needed", reading.needed)
        .set("not_run", reading.not_run)
        .set("note", reading.note)
        .set("step", reading.step)
        .set("ended", reading.ended)
        .set("max_loss", reading.max_loss)
        .set("min_share", reading.min_share)
        .set("pairs", json_array_of(reading.pairs, pair_to_json))
        .set("baseline", json_array_of(reading.baseline, baseline_to_json));
}

Status from_json(const JsonNode& node, RdmaReading& reading) {
    JsonFields fields(node);
    reading.asked = true;
    fields.boolean("needed", reading.needed);
    fields.string("not_run", reading.not_run);
    fields.string("note", reading.note);
    fields.string("step", reading.step);
    fields.boolean("ended", reading.ended);
    fields.number("max_loss", reading.max_loss);
    fields.number("min_share", reading.min_share);
    fields.list("pairs", reading.pairs, [](const JsonNode& value, RdmaPairReading& pair) {
        return from_json(value, pair);
    });
    fields.list("baseline", reading.baseline, [](const JsonNode& value, RdmaBaseline& baseline) {
        return from_json(value, baseline);
    });
    return fields.status();
}

}  // namespace yardmaster
