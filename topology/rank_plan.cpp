#include "topology/rank_plan.hpp"

#include <algorithm>

#include "topology/job_model.hpp"
#include "topology/order_choice.hpp"
#include "topology/placer_tables.hpp"

namespace yardmaster {
namespace {

std::uint32_t split_tp_groups(const Fabric& fabric,
                              std::span<const NodeIndex> ranked,
                              std::uint32_t gpus_per_node,
                              std::uint32_t tp) {
    std::uint32_t split = 0;
    for (std::size_t first = 0; first + tp <= ranked.size() * gpus_per_node; first += tp) {
        const DomainIndex domain = fabric.node(ranked[first / gpus_per_node]).domain;
        bool whole = true;
        for (std::size_t node = first / gpus_per_node; node <= (first + tp - 1) / gpus_per_node;
             ++node) {
            whole &= fabric.node(ranked[node]).domain == domain;
        }
        split += whole ? 0 : 1;
    }
    return split;
}

}  // namespace

Result<RankPlan> plan_ranks(const Fabric& fabric,
                            std::span<const NodeIndex> given,
                            std::uint32_t gpus_per_node,
                            const Hints& hints,
                            const CostWeights& weights) {
    return plan_ranks(PlacerTables(fabric, weights), given, gpus_per_node, hints);
}

Result<RankPlan> plan_ranks(const PlacerTables& tables,
                            std::span<const NodeIndex> given,
                            std::uint32_t gpus_per_node,
                            const Hints& hints) {
    const Fabric& fabric = tables.fabric;
    const JobShape shape{static_cast<std::uint32_t>(given.size()), gpus_per_node};
    const auto sizes = derive_parallelism(hints, shape);
    if (!sizes) {
        return sizes.status();
    }
    RankPlan plan;
    const JobModel job = model_job(fabric, hints, shape, tables.weights);
    plan.order = OrderChooser(tables, job).choose_well({given.begin(), given.end()}).nodes;
    plan.given_time = predict(fabric, given, gpus_per_node, *sizes, tables.weights);
    const bool same = std::equal(given.begin(), given.end(), plan.order.begin(), plan.order.end());
    plan.time =
        same ? plan.given_time : predict(fabric, plan.order, gpus_per_node, *sizes, tables.weights);
    // Sums in another order differ in their last digits.
    constexpr double kRounding = 1 + 1e-9;
    if (plan.given_time.cost() <= plan.time.cost() * kRounding &&
        split_tp_groups(fabric, given, gpus_per_node, sizes->tp) <=
            split_tp_groups(fabric, plan.order, gpus_per_node, sizes->tp)) {
        plan.given_is_as_good = true;
        plan.order.assign(given.begin(), given.end());
        plan.time = plan.given_time;
    }
    return plan;
}

}  // namespace yardmaster
