#include "topology/rank_plan.hpp"

#include <algorithm>

namespace yardmaster {
namespace {

/// Units from the root down to the leaf group, then the domain: orders nodes by the tree.
std::vector<std::size_t> place_in_tree(const Fabric& fabric, NodeIndex node) {
    std::vector<std::size_t> path;
    for (auto unit = fabric.node(node).leaf; unit; unit = fabric.unit(*unit).parent) {
        path.insert(path.begin(), raw(*unit));
    }
    path.push_back(raw(fabric.node(node).domain));
    return path;
}

std::vector<NodeIndex> tree_order(const Fabric& fabric, std::span<const NodeIndex> given) {
    std::vector<NodeIndex> order(given.begin(), given.end());
    std::stable_sort(order.begin(), order.end(), [&](NodeIndex a, NodeIndex b) {
        return place_in_tree(fabric, a) < place_in_tree(fabric, b);
    });
    return order;
}

}  // namespace

Result<RankPlan> plan_ranks(const Fabric& fabric,
                            std::span<const NodeIndex> given,
                            std::uint32_t gpus_per_node,
                            const Hints& hints,
                            const CostWeights& weights) {
    const JobShape shape{static_cast<std::uint32_t>(given.size()), gpus_per_node};
    const auto sizes = derive_parallelism(hints, shape);
    if (!sizes) {
        return sizes.status();
    }
    RankPlan plan;
    plan.order = tree_order(fabric, given);
    plan.time = predict(fabric, plan.order, gpus_per_node, *sizes, weights);
    plan.given_time = predict(fabric, given, gpus_per_node, *sizes, weights);
    if (plan.given_time.cost() <= plan.time.cost()) {
        plan.given_is_as_good = true;
        plan.order.assign(given.begin(), given.end());
        plan.time = plan.given_time;
    }
    return plan;
}

}  // namespace yardmaster
