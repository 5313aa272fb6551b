#include "cli/explanation.hpp"

#include <algorithm>
#include <utility>

#include "cli/job_nodes.hpp"
#include "cli/live_nodes.hpp"
#include "cli/node_sets.hpp"
#include "cli/soft_nodes.hpp"
#include "cli/words.hpp"

namespace yardmaster::cli {
namespace {

void note_receipt(Explanation& explanation) {
    const Receipt& receipt = *explanation.receipt;
    explanation.hints = receipt.hints;
    explanation.gpus_per_node = receipt.gpus_per_node;
    if (receipt.chooser == Receipt::Chooser::kStock) {
        explanation.given_up.push_back("Slurm chose the nodes without regard to the topology");
    }
    if (receipt.soft_taken > 0) {
        explanation.given_up.push_back(count_of(receipt.soft_taken, "soft-degraded node") +
                                       " among its nodes: without, its communication would have "
                                       "cost more, or too few nodes were free");
    }
    if (!receipt.note.empty()) {
        explanation.given_up.push_back(receipt.note);
    }
}

std::vector<CellState> cell_states(const Fabric& fabric,
                                   const std::vector<SlurmNode>& cluster,
                                   const std::vector<NodeIndex>& chosen) {
    // Without Slurm's word nothing is known to be out of service.
    const CellState unknown = cluster.empty() ? CellState::kFree : CellState::kOut;
    std::vector<CellState> states = live_states(fabric, cluster, unknown);
    for (NodeIndex node : chosen) {
        states[raw(node)] = CellState::kChosen;
    }
    return states;
}

std::optional<PlacementColumn> best_when_empty(const Fabric& fabric,
                                               const Placer& placer,
                                               const PlacementRequest& request) {
    const auto found = placer.propose(request, {1});
    if (!found || found->empty()) {
        return std::nullopt;
    }
    return make_ranked_column("best when empty", fabric, placer, found->front().nodes, request);
}

/// The column of the job itself; unlike make_column's its order is slurmctld's, not by name.
PlacementColumn actual_column(const Fabric& fabric,
                              const Placer& placer,
                              const std::vector<NodeIndex>& ranked,
                              const PlacementRequest& request) {
    PlacementColumn column = make_column("this job", fabric, placer, ranked, request);
    column.nodes = ranked;
    column.facts = describe(fabric, ranked, request.gpus_per_node, request.hints, placer.weights());
    return column;
}

std::optional<RankPlan> rank_plan_of(const Fabric& fabric,
                                     const CostWeights& weights,
                                     const std::vector<NodeIndex>& ranked,
                                     const PlacementRequest& request) {
    auto plan = plan_ranks(fabric, ranked, request.gpus_per_node, request.hints, weights);
    return plan ? std::optional(std::move(plan).value()) : std::nullopt;
}

}  // namespace

double Explanation::slowdown() const {
    return judgement && judgement->best
               ? times_as_long(judgement->got.facts, judgement->best->facts)
               : 0;
}

double Explanation::slowdown_then() const {
    return !judged_as && receipt && receipt->best_seconds > 0
               ? receipt->seconds / receipt->best_seconds
               : 0;
}

Explanation explain_record(const SlurmJob& job) {
    Explanation explanation;
    explanation.job = job;
    explanation.gpus_per_node = job.gpus_per_node;
    auto receipt = parse_receipt(job.admin_comment);
    if (receipt) {
        explanation.receipt = *receipt;
        note_receipt(explanation);
    } else if (receipt.status().code() != ErrorCode::kNotFound) {
        explanation.receipt_problem = receipt.status().message();
    } else if (!job.admin_comment.empty()) {
        explanation.receipt_problem = "its AdminComment is somebody's own: " + job.admin_comment;
    } else {
        explanation.receipt_problem =
            "its AdminComment is empty: the plugin was not loaded when it began, or the receipt "
            "was erased";
    }
    return explanation;
}

void judge_against(const Fabric& fabric,
                   const CostWeights& weights,
                   const std::vector<SlurmNode>& cluster,
                   Explanation& explanation) {
    std::vector<std::string> names = explanation.job.nodes;
    sort_as_in_table(cluster, names);
    std::vector<NodeIndex> ranked;
    for (const std::string& name : names) {
        const auto node = fabric.find(name);
        node ? ranked.push_back(*node) : explanation.unknown_nodes.push_back(name);
    }
    if (ranked.empty()) {
        return;
    }
    for (const SlurmNode* node : soft_degraded(cluster)) {
        if (std::find(names.begin(), names.end(), node->name) != names.end()) {
            explanation.soft_degraded.push_back(soft_sentence(*node));
        }
    }
    const Placer placer(fabric, weights);
    const auto request = request_on_empty_fabric(fabric,
                                                 static_cast<std::uint32_t>(ranked.size()),
                                                 explanation.gpus_per_node,
                                                 explanation.hints);
    explanation.judgement =
        Judgement{weights,
                  actual_column(fabric, placer, ranked, request),
                  best_when_empty(fabric, placer, request),
                  rank_plan_of(fabric, weights, ranked, request),
                  split_groups(fabric, ranked, explanation.gpus_per_node, explanation.hints),
                  cell_states(fabric, cluster, ranked)};
    add_findings(fabric, explanation);
}

}  // namespace yardmaster::cli
