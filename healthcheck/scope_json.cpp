#include "healthcheck/scope_json.hpp"

#include "base/json_value.hpp"
#include "healthcheck/json_fields.hpp"

namespace yardmaster {
namespace {

JsonValue rail_to_json(const ExpectedRail& rail) {
    return JsonValue::object()
        .set("device", rail.device)
        .set("port", rail.port)
        .set("gbps", rail.gbps);
}

Status rail_from_json(const JsonNode& node, ExpectedRail& rail) {
    JsonFields fields(node);
    fields.string("device", rail.device);
    fields.integer("port", rail.port);
    fields.number("gbps", rail.gbps);
    return fields.status();
}

}  // namespace

JsonValue to_json(const CheckScope& scope) {
    JsonValue object = JsonValue::object();
    object.set("node", scope.node).set("job", scope.job).set("gpus", json_array_of(scope.gpus));
    object.set("mig", scope.mig);
    if (scope.node_gpus) {
        object.set("node_gpus", *scope.node_gpus);
    }
    object.set("rails", json_array_of(scope.rails, rail_to_json));
    object.set("node_rails", json_array_of(scope.node_rails))
        .set("rails_unknown", scope.rails_unknown);
    return object;
}

Status from_json(const JsonNode& node, CheckScope& scope) {
    JsonFields fields(node);
    fields.string("node", scope.node);
    fields.integer("job", scope.job);
    fields.integers("gpus", scope.gpus);
    fields.boolean("mig", scope.mig);
    fields.optional_integer("node_gpus", scope.node_gpus);
    fields.list("rails", scope.rails, rail_from_json);
    fields.strings("node_rails", scope.node_rails);
    fields.string("rails_unknown", scope.rails_unknown);
    return fields.status();
}

}  // namespace yardmaster
