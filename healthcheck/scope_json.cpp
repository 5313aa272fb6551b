#include "healthcheck/scope_json.hpp"

#include <utility>

#include "base/json_value.hpp"
#include "healthcheck/json_fields.hpp"

namespace yardmaster {
namespace {

JsonValue rail_to_json(const ExpectedRail& rail) {
    return JsonValue::object()
        .set("device", rail.device)
        .set("port", rail.port)
        .set("gbps", rail.gbps)
        .set("gpus", json_array_of(rail.gpus))
        .set("rail", rail.rail);
}

Status rail_from_json(const JsonNode& node, ExpectedRail& rail) {
    JsonFields fields(node);
    fields.string("device", rail.device);
    fields.integer("port", rail.port);
    fields.number("gbps", rail.gbps);
    if (fields.has("gpus")) {
        fields.integers("gpus", rail.gpus);
    }
    if (fields.has("rail")) {
        fields.integer("rail", rail.rail);
    }
    return fields.status();
}

JsonValue limits_to_json(const CounterLimits& limits) {
    return JsonValue::object()
        .set("window_s", limits.window.count())
        .set("symbol_ber", limits.symbol_ber)
        .set("recoveries_per_minute", limits.recoveries_per_minute)
        .set("receive_errors_per_s", limits.receive_errors_per_s)
        .set("ack_timeouts_per_s", limits.ack_timeouts_per_s)
        .set("retransmissions_per_s", limits.retransmissions_per_s)
        .set("pcie_ber", limits.pcie_ber)
        .set("pcie_replays_per_minute", limits.pcie_replays_per_minute)
        .set("nvlink_crc_per_s", limits.nvlink_crc_per_s)
        .set("nvlink_errors_per_minute", limits.nvlink_errors_per_minute);
}

Status limits_from_json(const JsonNode& node, CounterLimits& limits) {
    JsonFields fields(node);
    std::int64_t window = 0;
    fields.integer("window_s", window);
    limits.window = std::chrono::seconds(window);
    fields.number("symbol_ber", limits.symbol_ber);
    fields.number("recoveries_per_minute", limits.recoveries_per_minute);
    fields.number("receive_errors_per_s", limits.receive_errors_per_s);
    fields.number("ack_timeouts_per_s", limits.ack_timeouts_per_s);
    fields.number("retransmissions_per_s", limits.retransmissions_per_s);
    fields.number("pcie_ber", limits.pcie_ber);
    if (fields.has("nvlink_crc_per_s")) {  // older evidence has no baseline of these either
        fields.number("pcie_replays_per_minute", limits.pcie_replays_per_minute);
        fields.number("nvlink_crc_per_s", limits.nvlink_crc_per_s);
        fields.number("nvlink_errors_per_minute", limits.nvlink_errors_per_minute);
    }
    return fields.status();
}

constexpr std::pair<GpuNumbering, std::string_view> kNumberings[] = {
    {GpuNumbering::kMinor, "minor"},
    {GpuNumbering::kNvml, "nvml"},
    {GpuNumbering::kMinorOrNvml, "minor-or-nvml"},
    {GpuNumbering::kUnknown, "unknown"},
};

void read_numbering(const JsonNode& node, JsonFields& fields, CheckScope& scope) {
    if (!fields.has("gpu_numbering")) {
        return;
    }
    fields.read("gpu_numbering", [&](const JsonNode& value) {
        const auto word = value.string();
        const auto numbering =
            word ? parse_gpu_numbering(*word) : Result<GpuNumbering>(word.status());
        if (!numbering) {
            return node.error(numbering.status().message());
        }
        scope.gpu_numbering = *numbering;
        return Status::ok();
    });
    fields.string("gpu_numbering_why", scope.gpu_numbering_why);
}

}  // namespace

std::string_view to_string(GpuNumbering numbering) {
    for (const auto& [known, word] : kNumberings) {
        if (numbering == known) {
            return word;
        }
    }
    return "unknown";
}

Result<GpuNumbering> parse_gpu_numbering(std::string_view word) {
    for (const auto& [numbering, known] : kNumberings) {
        if (word == known) {
            return numbering;
        }
    }
    return Status(ErrorCode::kMalformed,
                  "GPU numbering is \"" + std::string(word) +
                      "\", must be minor, nvml, minor-or-nvml or unknown");
}

JsonValue to_json(const CheckScope& scope) {
    JsonValue object = JsonValue::object();
    object.set("node", scope.node).set("job", scope.job).set("gpus", json_array_of(scope.gpus));
    object.set("mig", scope.mig);
    if (scope.gpu_numbering != GpuNumbering::kMinor) {
        object.set("gpu_numbering", std::string(to_string(scope.gpu_numbering)))
            .set("gpu_numbering_why", scope.gpu_numbering_why);
    }
    if (scope.node_gpus) {
        object.set("node_gpus", *scope.node_gpus);
    }
    object.set("rails", json_array_of(scope.rails, rail_to_json));
    object.set("node_rails", json_array_of(scope.node_rails))
        .set("leaf", scope.leaf)
        .set("counters", limits_to_json(scope.counters))
        .set("wiring", scope.wiring)
        .set("rails_unknown", scope.rails_unknown);
    return object;
}

Status from_json(const JsonNode& node, CheckScope& scope) {
    JsonFields fields(node);
    fields.string("node", scope.node);
    fields.integer("job", scope.job);
    fields.integers("gpus", scope.gpus);
    fields.boolean("mig", scope.mig);
    read_numbering(node, fields, scope);
    fields.optional_integer("node_gpus", scope.node_gpus);
    fields.list("rails", scope.rails, rail_from_json);
    fields.strings("node_rails", scope.node_rails);
    if (fields.has("leaf")) {
        fields.string("leaf", scope.leaf);
    }
    if (fields.has("counters")) {  // evidence of the first versions has neither
        fields.read("counters",
                    [&](const JsonNode& value) { return limits_from_json(value, scope.counters); });
        fields.boolean("wiring", scope.wiring);
    }
    fields.string("rails_unknown", scope.rails_unknown);
    return fields.status();
}

}  // namespace yardmaster
