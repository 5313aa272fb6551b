#include "plugin/select/proposals.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace yardmaster {
namespace {

constexpr std::chrono::microseconds kPlacerBudget{5000};

/// Node weights as classes: 0 for the lowest weight among `usable`, and so on up.
std::vector<std::uint64_t> weight_classes(const Supply& supply, const NodeSet& usable) {
    std::vector<std::uint64_t> weights;
    for (const std::int32_t node : usable) {
        const std::uint64_t weight = supply.weight(node);
        if (weights.empty() || weights.back() != weight) {
            weights.push_back(weight);
        }
    }
    std::sort(weights.begin(), weights.end());
    weights.erase(std::unique(weights.begin(), weights.end()), weights.end());
    return weights;
}

std::uint16_t class_of(const std::vector<std::uint64_t>& weights, std::uint64_t weight) {
    const auto found = std::lower_bound(weights.begin(), weights.end(), weight);
    return static_cast<std::uint16_t>(
        std::min<std::ptrdiff_t>(found - weights.begin(), UINT16_MAX));
}

/// Marks the nodes that the job must get; false when one of them is not usable.
bool mark_required(const Supply& supply, const NodeMap& map, std::vector<NodeOffer>& offers) {
    for (const std::int32_t node : supply.required()) {
        const auto index = map.fabric_node(node);
        if (!index || !offers[raw(*index)].usable) {
            return false;
        }
        offers[raw(*index)].required = true;
    }
    return true;
}

NodeSet in_slurm_order(const NodeMap& map, const std::vector<NodeIndex>& nodes) {
    NodeSet result;
    result.reserve(nodes.size());
    for (const NodeIndex node : nodes) {
        result.push_back(map.slurm_node(node));
    }
    std::sort(result.begin(), result.end());
    return result;
}

/// A set of nodes that bear other names by now would be another set. The hooks tell of changes of
/// the node table; this is the second look, at the few nodes that matter.
bool named_as_before(const NodeMap& map, const Fabric& fabric, const Candidate& candidate) {
    return std::all_of(candidate.nodes.begin(), candidate.nodes.end(), [&](NodeIndex node) {
        return map.still_true(fabric, node);
    });
}

/// The lowest weight of a usable node that the fabric file does not name; the highest number there
/// is when it names them all.
std::uint64_t lightest_outside(const Supply& supply, const NodeMap& map, const NodeSet& usable) {
    std::uint64_t lightest = UINT64_MAX;
    for (const std::int32_t node : usable) {
        if (!map.fabric_node(node)) {
            lightest = std::min(lightest, supply.weight(node));
        }
    }
    return lightest;
}

/// A wish does not take a dear node while a cheap one that we cannot judge is free: stock decides.
bool passes_over_cheaper_nodes(const Supply& supply,
                               const NodeSet& nodes,
                               std::uint64_t lightest_outside) {
    return std::any_of(nodes.begin(), nodes.end(), [&](std::int32_t node) {
        return supply.weight(node) > lightest_outside;
    });
}

}  // namespace

Proposals propose(const Placer& placer,
                  const Fabric& fabric,
                  const NodeMap& map,
                  const Supply& supply,
                  const Demand& demand,
                  const NodeSet& usable,
                  std::uint32_t limit) {
    PlacementRequest request;
    request.nodes = demand.nodes;
    request.gpus_per_node = demand.gpus_per_node;
    request.hints = demand.hints;
    request.offers.resize(fabric.nodes().size());
    const auto weights = weight_classes(supply, usable);
    for (const std::int32_t node : usable) {
        if (const auto index = map.fabric_node(node)) {
            NodeOffer& offer = request.offers[raw(*index)];
            offer.usable = true;
            offer.part_used = supply.part_used(node);
            offer.weight_class = class_of(weights, supply.weight(node));
        }
    }
    Proposals result;
    if (!mark_required(supply, map, request.offers)) {
        result.why_none = "a node of --nodelist is not free or not in the fabric file";
        return result;
    }
    const auto candidates = placer.propose(request, {limit, kPlacerBudget});
    if (!candidates) {
        result.why_none = candidates.status().message();
        return result;
    }
    const std::uint64_t outside =
        demand.hints.hard() ? UINT64_MAX : lightest_outside(supply, map, usable);
    for (const Candidate& candidate : *candidates) {
        NodeSet nodes = in_slurm_order(map, candidate.nodes);
        if (!named_as_before(map, fabric, candidate)) {
            result.why_none = "the node table changed, `scontrol reconfigure` reads it anew";
        } else if (passes_over_cheaper_nodes(supply, nodes, outside)) {
            result.why_none = "nodes that are not in the fabric file come first by weight";
        } else {
            result.sets.push_back(std::move(nodes));
        }
    }
    return result;
}

}  // namespace yardmaster
