#include "plugin/select/proposals.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace yardmaster {
namespace {

constexpr std::chrono::microseconds kPlacerBudget{5000};

/// The weights of `usable` nodes, read once: each is a walk to its node record.
class Weights {
  public:
    Weights(const Supply& supply, const NodeSet& usable) {
        of_.reserve(usable.size());
        for (const std::int32_t node : usable) {
            of_.push_back(supply.weight(node));
            if (distinct_.empty() || distinct_.back() != of_.back()) {
                distinct_.push_back(of_.back());
            }
        }
        std::sort(distinct_.begin(), distinct_.end());
        distinct_.erase(std::unique(distinct_.begin(), distinct_.end()), distinct_.end());
    }

    /// Of usable[i].
    std::uint64_t of(std::size_t i) const { return of_[i]; }
    /// 0 for the lowest weight among the usable nodes, and so on up.
    std::uint16_t class_of(std::size_t i) const {
        const auto found = std::lower_bound(distinct_.begin(), distinct_.end(), of_[i]);
        return static_cast<std::uint16_t>(
            std::min<std::ptrdiff_t>(found - distinct_.begin(), UINT16_MAX));
    }

  private:
    std::vector<std::uint64_t> of_;  // [as usable]
    std::vector<std::uint64_t> distinct_;
};

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
    const Weights weights(supply, usable);
    std::uint64_t outside = UINT64_MAX;  // the lowest weight of a node that the file does not name
    for (std::size_t i = 0; i < usable.size(); ++i) {
        const auto index = map.fabric_node(usable[i]);
        if (!index) {
            outside = std::min(outside, weights.of(i));
            continue;
        }
        NodeOffer& offer = request.offers[raw(*index)];
        offer.usable = true;
        offer.part_used = supply.part_used(usable[i]);
        offer.weight_class = weights.class_of(i);
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
    if (demand.hints.hard()) {
        outside = UINT64_MAX;  // a hard hint cannot be judged out there at all
    }
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
