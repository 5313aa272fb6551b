#include "cli/ranks_report.hpp"

#include "cli/kind_table.hpp"
#include "cli/node_sets.hpp"
#include "cli/weights_text.hpp"
#include "topology/placer.hpp"
#include "topology/rank_sheet_of.hpp"

namespace yardmaster::cli {
namespace {

void add_places(const Fabric& fabric, const std::vector<NodeIndex>& order, RanksReport& report) {
    for (const NodeIndex node : order) {
        const FabricNode& at = fabric.node(node);
        report.domains.push_back(fabric.domain(at.domain).name);
        report.leaves.push_back(at.leaf ? fabric.unit(*at.leaf).name : "-");
    }
}

void add_splits(const Fabric& fabric,
                const std::vector<NodeIndex>& order,
                const std::vector<NodeIndex>& given,
                RanksReport& report) {
    const auto facts_of = [&](const std::vector<NodeIndex>& nodes) {
        return describe(
            fabric, nodes, report.sheet.gpus_per_node, report.sheet.hints, report.weights);
    };
    const PlacementFacts found = facts_of(order);
    report.no_link = no_link(found);
    report.tp_groups = found.tp_groups;
    report.split_tp_groups = found.split_tp_groups;
    report.slurm_split_tp_groups = facts_of(given).split_tp_groups;
}

JsonValue node_to_json(const RanksReport& report, std::uint32_t node_rank) {
    const RankLayout& layout = report.layout;
    JsonValue tasks = JsonValue::array();
    for (std::uint32_t local = 0; local < layout.gpus_per_node; ++local) {
        JsonValue task = JsonValue::object();
        task.set("local_rank", local);
        for (const RankVariable& variable : task_variables(layout, node_rank, local)) {
            task.set(variable.name.c_str(), variable.value);
        }
        tasks.append(std::move(task));
    }
    JsonValue json = JsonValue::object();
    json.set("node_rank", node_rank)
        .set("node", layout.nodes[node_rank])
        .set("nvlink_domain", report.domains[node_rank])
        .set("leaf_group", report.leaves[node_rank])
        .set("tasks", std::move(tasks));
    return json;
}

}  // namespace

Result<RanksReport> report_ranks(const Fabric& fabric,
                                 const CostWeights& weights,
                                 const std::vector<NodeIndex>& given,
                                 std::uint32_t gpus_per_node,
                                 const Hints& hints) {
    const auto plan = plan_ranks(fabric, given, gpus_per_node, hints, weights);
    const auto sheet = rank_sheet_of(fabric, given, gpus_per_node, hints, weights);
    if (!plan || !sheet) {
        return plan ? sheet.status() : plan.status();
    }
    RanksReport report;
    report.weights = weights;
    report.sheet = *sheet;
    report.slurm_order = node_names(fabric, given);
    report.layout = layout_of(report.sheet, report.slurm_order);
    report.slurm_is_as_good = plan->given_is_as_good;
    report.seconds = plan->time.seconds();
    report.slurm_seconds = plan->given_time.seconds();
    add_places(fabric, plan->order, report);
    add_splits(fabric, plan->order, given, report);
    return report;
}

JsonValue ranks_to_json(const RanksReport& report) {
    const auto time = [&report](double seconds) {
        return report.no_link ? JsonValue(nullptr) : JsonValue(seconds);
    };
    JsonValue nodes = JsonValue::array();
    for (std::uint32_t rank = 0; rank < report.layout.nodes.size(); ++rank) {
        nodes.append(node_to_json(report, rank));
    }
    JsonValue json = JsonValue::object();
    json.set("for", report.title)
        .set("hints", report.sheet.hints.to_string())
        .set("gpus_per_node", report.layout.gpus_per_node)
        .set("weights", weights_to_json(report.weights))
        .set("slurm_order", json_array_of(report.slurm_order))
        .set("slurm_order_is_as_good", report.slurm_is_as_good)
        .set("tp_groups", report.tp_groups)
        .set("split_tp_groups", report.split_tp_groups)
        .set("slurm_order_split_tp_groups", report.slurm_split_tp_groups)
        .set("predicted_seconds", time(report.seconds))
        .set("slurm_order_predicted_seconds", time(report.slurm_seconds))
        .set("nodes", std::move(nodes));
    return json;
}

}  // namespace yardmaster::cli
