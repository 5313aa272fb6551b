#include "healthcheck/scope_json.hpp"

#include "healthcheck/json_fields.hpp"
#include "healthcheck/json_writer.hpp"

namespace yardmaster {
namespace {

JsonPtr to_json(const std::vector<ExpectedRail>& rails) {
    JsonPtr array(json_array());
    for (const ExpectedRail& rail : rails) {
        JsonObject object;
        object.set("device", rail.device).set("port", rail.port).set("gbps", rail.gbps);
        json_array_append_new(array.get(), object.take().release());
    }
    return array;
}

Status rail_from_json(const JsonNode& node, ExpectedRail& rail) {
    JsonFields fields(node);
    fields.string("device", rail.device);
    fields.integer("port", rail.port);
    fields.number("gbps", rail.gbps);
    return fields.status();
}

}  // namespace

JsonPtr to_json(const CheckScope& scope) {
    JsonObject object;
    object.set("node", scope.node).set("job", scope.job).set("gpus", scope.gpus);
    object.set("mig", scope.mig);
    if (scope.node_gpus) {
        object.set("node_gpus", *scope.node_gpus);
    }
    object.set("rails", to_json(scope.rails));
    object.set("node_rails", scope.node_rails).set("rails_unknown", scope.rails_unknown);
    return object.take();
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
