#include "plugin/select/receipt_of.hpp"

#include <algorithm>

namespace yardmaster {
namespace {

/// Those that the fabric has, in Slurm's order.
std::vector<NodeIndex> known_nodes(const NodeMap& map, const NodeSet& nodes) {
    std::vector<NodeIndex> known;
    for (const std::int32_t node : nodes) {
        if (const auto index = map.fabric_node(node)) {
            known.push_back(*index);
        }
    }
    return known;
}

/// Whether a link joins all nodes. Where none does, a predicted time means nothing.
bool joined(const PlacementFacts& facts) {
    return facts.units_touched.empty() ? facts.nvlink_domains <= 1 : !facts.separate_fabrics();
}

/// Predicted times of the job and of the best set that was free.
void add_times(const LoadedFabric& loaded,
               const NodeMap& map,
               const Demand& demand,
               const Answer& answer,
               const RankPlan& plan,
               Receipt& receipt) {
    receipt.seconds = joined(receipt.facts) ? plan.given_time.seconds() : 0;
    if (answer.first.empty()) {
        receipt.best_seconds = answer.ours && receipt.seconds > 0 ? plan.time.seconds() : 0;
    } else if (answer.first.size() == receipt.nodes) {
        const auto known = known_nodes(map, answer.first);
        const auto best = plan_for(loaded, map, answer.first, demand);
        const auto facts = describe_set(loaded.fabric, known, demand.gpus_per_node, demand.hints);
        receipt.best_seconds = best && joined(facts) ? best->time.seconds() : 0;
    }
}

}  // namespace

std::optional<RankPlan> plan_for(const LoadedFabric& loaded,
                                 const NodeMap& map,
                                 const NodeSet& nodes,
                                 const Demand& demand) {
    const auto known = known_nodes(map, nodes);
    if (known.empty() || known.size() < nodes.size()) {
        return std::nullopt;
    }
    auto plan = plan_ranks(loaded.placer.tables(), known, demand.gpus_per_node, demand.hints);
    return plan ? std::optional(std::move(plan).value()) : std::nullopt;
}

Receipt receipt_of(const LoadedFabric& loaded,
                   const NodeMap& map,
                   const NodeSet& nodes,
                   const Demand& demand,
                   const Answer& answer,
                   const RankPlan* plan) {
    Receipt receipt;
    receipt.chooser = answer.ours ? Receipt::Chooser::kYardmaster : Receipt::Chooser::kStock;
    receipt.hints = demand.hints;
    receipt.nodes = static_cast<std::uint32_t>(nodes.size());
    receipt.gpus_per_node = demand.gpus_per_node;
    receipt.rank = answer.rank;
    receipt.note = answer.note;
    receipt.gpus = answer.gpus;
    receipt.weights = weights_mark(loaded.placer.weights());
    const auto known = known_nodes(map, nodes);
    receipt.facts = describe_set(loaded.fabric, known, demand.gpus_per_node, demand.hints);
    if (plan != nullptr) {
        add_times(loaded, map, demand, answer, *plan, receipt);
    }
    if (known.size() < nodes.size()) {
        receipt.note += (receipt.note.empty() ? "" : "; ") +
                        std::to_string(nodes.size() - known.size()) +
                        " nodes are not in the fabric file";
    }
    return receipt;
}

void count_soft_degraded(const Question& question, const NodeSet& nodes, Receipt& receipt) {
    const auto count = [&](const NodeSet& among) {
        return static_cast<std::uint32_t>(
            std::count_if(among.begin(), among.end(), [&](std::int32_t node) {
                return question.supply.soft_degraded(node);
            }));
    };
    if (count(question.supply.nodes()) == 0) {
        return;  // as nearly always
    }
    receipt.soft_taken = count(nodes);
    const std::uint32_t usable = count(question.usable(question.demand, Moment{}).nodes);
    receipt.soft_left = usable - std::min(usable, receipt.soft_taken);
}

Receipt stock_receipt(const Hints& hints,
                      const NodeSet& nodes,
                      const ym_job_info& info,
                      const std::string& why) {
    Receipt receipt;
    receipt.chooser = Receipt::Chooser::kStock;
    receipt.hints = hints;
    receipt.nodes = static_cast<std::uint32_t>(nodes.size());
    receipt.gpus_per_node = info.gpus_per_node;
    receipt.note = why;
    return receipt;
}

}  // namespace yardmaster
