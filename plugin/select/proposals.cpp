#include "plugin/select/proposals.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <utility>

namespace yardmaster {
namespace {

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

/// The usable nodes as offers to the placer.
struct Offers {
    std::vector<NodeOffer> offers;
    /// The lowest weight of a node that the file does not name.
    std::uint64_t lightest_outside = UINT64_MAX;

    Offers(const Fabric& fabric, const NodeMap& map, const Supply& supply, const NodeSet& usable)
        : offers(fabric.nodes().size()) {
        const Weights weights(supply, usable);
        for (std::size_t i = 0; i < usable.size(); ++i) {
            const auto index = map.fabric_node(usable[i]);
            if (!index) {
                lightest_outside = std::min(lightest_outside, weights.of(i));
                continue;
            }
            NodeOffer& offer = offers[raw(*index)];
            offer.usable = true;
            offer.part_used = supply.part_used(usable[i]);
            offer.soft_degraded = supply.soft_degraded(usable[i]);
            offer.weight_class = weights.class_of(i);
        }
    }
};

/// Free GPU indices of the fabric's nodes, and the search for sets of nodes that share some.
class Rails {
  public:
    Rails(const NodeMap& map, const FreeNodes& usable, std::uint32_t indices)
        : map_(map), usable_(usable), indices_(indices) {}

    bool shared_by(const std::vector<NodeIndex>& nodes) const {
        GpuMask common = kAllGpus;
        for (const NodeIndex node : nodes) {
            common &= free_on(map_.slurm_node(node));
        }
        return static_cast<std::uint32_t>(std::popcount(common)) >= indices_;
    }

    /// Offers with fewer usable nodes, each such that any of its nodes share a set of indices.
    std::vector<std::vector<NodeOffer>> narrowed(const PlacementRequest& request,
                                                 const NodeSet& required) const {
        constexpr std::size_t kMostFamilies = 8;
        std::vector<NodeIndex> nodes;
        std::vector<GpuMask> free;
        for (const std::int32_t node : usable_.nodes) {
            if (const auto index = map_.fabric_node(node)) {
                nodes.push_back(*index);
                free.push_back(free_on(node));
            }
        }
        GpuMask within = kAllGpus;
        for (const std::int32_t node : required) {
            within &= free_on(node);
        }
        std::vector<std::vector<NodeOffer>> result;
        for (const auto& family :
             nodes_sharing_a_set(free, within, indices_, request.nodes, kMostFamilies)) {
            result.push_back(only(request.offers, nodes, family));
        }
        return result;
    }

  private:
    GpuMask free_on(std::int32_t node) const {
        return usable_.gpus[static_cast<std::size_t>(node)];
    }
    static std::vector<NodeOffer> only(const std::vector<NodeOffer>& offers,
                                       const std::vector<NodeIndex>& nodes,
                                       const std::vector<std::uint32_t>& family) {
        std::vector<NodeOffer> result = offers;
        for (NodeOffer& offer : result) {
            offer.usable = false;
        }
        for (const std::uint32_t position : family) {
            result[raw(nodes[position])].usable = true;
        }
        return result;
    }

    const NodeMap& map_;
    const FreeNodes& usable_;
    std::uint32_t indices_;
};

/// Adds sets from nodes that share indices, and puts all in the order of their scores.
void add_narrowed(const Placer& placer,
                  const PlacementRequest& request,
                  const Rails& rails,
                  const NodeSet& required,
                  std::uint32_t limit,
                  std::vector<Candidate>& candidates) {
    PlacementRequest narrow = request;
    for (auto& offers : rails.narrowed(request, required)) {
        narrow.offers = std::move(offers);
        auto found = placer.propose(narrow, {limit});
        if (!found) {
            continue;
        }
        for (Candidate& candidate : std::move(found).value()) {
            candidate.score = placer.score(candidate.nodes, request);  // comparable with the others
            candidates.push_back(std::move(candidate));
        }
    }
    std::stable_sort(candidates.begin(), candidates.end(), [](const auto& a, const auto& b) {
        return a.score < b.score;
    });
    std::vector<Candidate> distinct;
    for (Candidate& candidate : candidates) {
        const bool again = std::any_of(distinct.begin(), distinct.end(), [&](const auto& other) {
            return other.nodes == candidate.nodes;
        });
        if (!again && distinct.size() < limit) {
            distinct.push_back(std::move(candidate));
        }
    }
    candidates = std::move(distinct);
}

/// Sets whose nodes have the job's number of GPUs free under the same indices.
Result<std::vector<Candidate>> propose_on_rails(const Placer& placer,
                                                const PlacementRequest& request,
                                                const Rails& rails,
                                                const NodeSet& required,
                                                std::uint32_t limit) {
    constexpr std::uint32_t kMany = 8;  // where the best ones do not share a set of indices
    std::vector<Candidate> candidates;
    bool all_share = false;
    for (const std::uint32_t most : {limit, std::max(limit, kMany)}) {
        auto found = placer.propose(request, {most});
        if (!found) {
            return found;
        }
        candidates = std::move(found).value();
        all_share = std::erase_if(candidates,
                                  [&](const auto& c) { return !rails.shared_by(c.nodes); }) == 0;
        if (all_share || most >= kMany) {
            break;
        }
    }
    if (!all_share) {
        add_narrowed(placer, request, rails, required, limit, candidates);
    }
    if (candidates.size() > limit) {
        candidates.erase(candidates.begin() + limit, candidates.end());
    }
    if (candidates.empty()) {
        return Status(ErrorCode::kUnavailable,
                      "rail: no such nodes have free GPUs of the same indices");
    }
    return candidates;
}

}  // namespace

Proposals propose(const Placer& placer,
                  const Fabric& fabric,
                  const NodeMap& map,
                  const Supply& supply,
                  const Demand& demand,
                  const FreeNodes& usable,
                  std::uint32_t limit) {
    PlacementRequest request;
    request.nodes = demand.nodes;
    request.gpus_per_node = demand.gpus_per_node;
    request.hints = demand.hints;
    request.hints.leaf |= demand.most_leaf_groups == 1;
    Offers offered(fabric, map, supply, usable.nodes);
    request.offers = std::move(offered.offers);
    Proposals result;
    if (!mark_required(supply, map, request.offers)) {
        result.why_none = "a node of --nodelist is not free or not in the fabric file";
        return result;
    }
    const bool on_rails = demand.hints.rail && demand.nodes > 1 && !usable.gpus.empty();
    const auto candidates =
        on_rails
            ? propose_on_rails(
                  placer, request, Rails(map, usable, demand.indices), supply.required(), limit)
            : placer.propose(request, {limit});
    if (!candidates) {
        result.why_none = candidates.status().message();
        return result;
    }
    result.cut = candidates->size() >= limit;
    const std::uint64_t outside = demand.binds() ? UINT64_MAX : offered.lightest_outside;
    for (const Candidate& candidate : *candidates) {
        NodeSet nodes = in_slurm_order(map, candidate.nodes);
        if (!named_as_before(map, fabric, candidate)) {
            result.why_none = "the node table changed, `scontrol reconfigure` reads it anew";
        } else if (demand.most_leaf_groups > 0 &&
                   candidate.score.leaf_groups > demand.most_leaf_groups) {
            result.why_none = "every such set needs more leaf groups than --switches allows";
        } else if (passes_over_cheaper_nodes(supply, nodes, outside)) {
            result.why_none = "nodes that are not in the fabric file come first by weight";
        } else {
            result.sets.push_back(std::move(nodes));
        }
    }
    return result;
}

}  // namespace yardmaster
