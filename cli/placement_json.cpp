// Placements in JSON.
#include <string_view>
#include <utility>

#include "cli/kind_table.hpp"
#include "cli/node_sets.hpp"
#include "cli/placement_criteria.hpp"
#include "cli/placement_report.hpp"
#include "cli/words.hpp"

namespace yardmaster::cli {
namespace {

JsonValue score_to_json(const PlacementScore& score) {
    JsonValue json = JsonValue::object();
    for (const Criterion& criterion : criteria_of(score)) {
        if (std::string_view(criterion.key) == "weight_use") {
            json.set(criterion.key, json_array_of(score.weight_use));
        } else {
            json.set(criterion.key, criterion.value.front());
        }
    }
    return json;
}

JsonValue spread_to_json(const Spread& tier) {
    JsonValue json = JsonValue::object();
    json.set("most", tier.most).set("mean", tier.mean);
    return json;
}

JsonValue kind_to_json(const KindFacts& kind) {
    JsonValue json = JsonValue::object();
    json.set("count", kind.groups)
        .set("size", kind.size)
        .set("split", kind.split)
        .set("edges", kind.edges)
        .set("edges_off_rail", kind.edges_off_rail)
        .set("edges_leaving", json_array_of(kind.edges_leaving))
        .set("spread", json_array_of(kind.spread, spread_to_json))
        .set("slowest_seconds", kind.time.slowest_seconds)
        .set("mean_seconds", kind.time.mean_seconds);
    return json;
}

}  // namespace

JsonValue facts_to_json(const PlacementFacts& facts) {
    JsonValue json = JsonValue::object();
    json.set("tp_groups", facts.tp_groups);
    json.set("split_tp_groups", facts.split_tp_groups);
    json.set("nvlink_domains", facts.nvlink_domains);
    json.set("units_touched", json_array_of(facts.units_touched));
    json.set("ring_edges_leaving", json_array_of(facts.ring_edges_leaving));
    json.set("ring_edges", facts.ring_edges);
    json.set("predicted_seconds",
             no_link(facts) ? JsonValue(nullptr) : JsonValue(facts.predicted_seconds));
    JsonValue kinds = JsonValue::object();
    for (GroupKind kind : kGroupKinds) {
        if (facts[kind].groups > 0) {
            kinds.set(group_word(kind).data(), kind_to_json(facts[kind]));
        }
    }
    json.set("groups", std::move(kinds));
    return json;
}

JsonValue column_to_json(const Fabric& fabric, const PlacementColumn& column) {
    const auto names = node_names(fabric, column.nodes);
    JsonValue json = JsonValue::object();
    json.set("title", column.title);
    json.set("hostlist", host_expression(names));
    json.set("nodes", json_array_of(names));
    json.set("facts", facts_to_json(column.facts));
    json.set("score", score_to_json(column.score));
    return json;
}

}  // namespace yardmaster::cli
