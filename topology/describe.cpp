// describe: the facts of a set of nodes in rank order.
#include <algorithm>

#include "topology/link_model.hpp"
#include "topology/placer.hpp"

namespace yardmaster {
namespace {

/// The highest unit of tier `tier` or less above a node, as a number; nodes below no switch have
/// numbers of their own. In an uneven tree a leaf group may hang below a core: it is its own pod.
std::uint64_t unit_at(const Fabric& fabric, NodeIndex node, std::uint32_t tier) {
    std::optional<UnitIndex> at = fabric.node(node).leaf;
    if (!at) {
        return fabric.units().size() + raw(node);
    }
    while (fabric.unit(*at).parent && fabric.unit(*fabric.unit(*at).parent).tier <= tier) {
        at = fabric.unit(*at).parent;
    }
    return raw(*at);
}

std::uint32_t count_distinct(std::vector<std::uint64_t>& values) {
    std::sort(values.begin(), values.end());
    return static_cast<std::uint32_t>(std::unique(values.begin(), values.end()) - values.begin());
}

std::uint32_t count_domains(const Fabric& fabric, const std::vector<NodeIndex>& nodes) {
    std::vector<std::uint64_t> domains;
    for (NodeIndex node : nodes) {
        domains.push_back(raw(fabric.node(node).domain));
    }
    return count_distinct(domains);
}

void describe_groups(const Fabric& fabric,
                     const std::vector<NodeIndex>& nodes,
                     std::uint32_t gpus_per_node,
                     std::uint32_t tp,
                     PlacementFacts& facts) {
    const std::uint64_t groups = std::uint64_t{nodes.size()} * gpus_per_node / tp;
    facts.tp_groups = static_cast<std::uint32_t>(groups);
    for (std::uint64_t group = 0; group < groups; ++group) {
        const std::uint64_t first = group * tp / gpus_per_node;
        const std::uint64_t last = ((group + 1) * tp - 1) / gpus_per_node;
        const DomainIndex domain = fabric.node(nodes[first]).domain;
        const bool split =
            std::any_of(nodes.begin() + static_cast<std::ptrdiff_t>(first),
                        nodes.begin() + static_cast<std::ptrdiff_t>(last) + 1,
                        [&](NodeIndex node) { return fabric.node(node).domain != domain; });
        facts.split_tp_groups += split ? 1 : 0;
    }
}

void describe_tier(const Fabric& fabric,
                   const std::vector<NodeIndex>& nodes,
                   std::uint32_t quantum,
                   std::uint32_t tier,
                   PlacementFacts& facts) {
    std::vector<std::uint64_t> units;
    for (NodeIndex node : nodes) {
        units.push_back(unit_at(fabric, node, tier));
    }
    std::uint32_t leaving = 0;
    for (std::uint32_t edge = 0; edge < facts.ring_edges; ++edge) {
        const std::size_t next = (edge + 1) % facts.ring_edges;
        leaving += units[std::size_t{edge} * quantum] != units[next * quantum] ? 1 : 0;
    }
    facts.ring_edges_leaving.push_back(leaving);
    facts.units_touched.push_back(count_distinct(units));
}

/// Counts the edges of groups and where they go.
class EdgeCounter {
  public:
    EdgeCounter(const Fabric& fabric,
                const std::vector<NodeIndex>& nodes,
                std::uint32_t gpus_per_node,
                const Parallelism& sizes,
                const LinkModel& links,
                std::uint32_t tiers)
        : fabric_(fabric), nodes_(nodes), gpus_(gpus_per_node), sizes_(sizes), links_(links) {
        for (std::uint32_t tier = 0; tier < tiers; ++tier) {
            units_.emplace_back();
            for (NodeIndex node : nodes) {
                units_.back().push_back(unit_at(fabric, node, tier));
            }
        }
    }

    void count(GroupKind kind, KindFacts& facts) const {
        facts.groups = group_count(sizes_, kind);
        facts.size = group_size(sizes_, kind);
        facts.edges_leaving.assign(units_.size(), 0);
        for (std::uint32_t i = 0; i < facts.groups; ++i) {
            const RankGroup group = group_of(sizes_, kind, i);
            const bool closed = kind != GroupKind::kPp && group.size > 2;
            bool split = false;
            for (std::uint32_t k = 0; k + 1 < group.size + (closed ? 1 : 0); ++k) {
                const Rank to = group.rank((k + 1) % group.size);
                split |= count_edge(group.rank(k), to, group.stride < gpus_, facts);
            }
            facts.split += split ? 1 : 0;
        }
    }

  private:
    /// Whether the edge leaves its NVLink domain. A group with `several` ranks on a node leaves
    /// each GPU by that GPU's own rail, wherever the ring's order makes it enter the next node.
    bool count_edge(Rank from, Rank to, bool several, KindFacts& facts) const {
        const std::uint32_t a = static_cast<std::uint32_t>(from) / gpus_;
        const std::uint32_t b = static_cast<std::uint32_t>(to) / gpus_;
        if (a == b) {
            return false;
        }
        facts.edges += 1;
        if (fabric_.node(nodes_[a]).domain == fabric_.node(nodes_[b]).domain) {
            return false;
        }
        const auto gpu = [&](Rank rank) {
            return GpuIndex{static_cast<std::uint16_t>(static_cast<std::uint32_t>(rank) % gpus_)};
        };
        facts.edges_off_rail +=
            links_.aligned(nodes_[a], gpu(from), nodes_[b], gpu(several ? from : to)) ? 0 : 1;
        for (std::size_t tier = 0; tier < units_.size(); ++tier) {
            facts.edges_leaving[tier] += units_[tier][a] != units_[tier][b] ? 1 : 0;
        }
        return true;
    }

    const Fabric& fabric_;
    const std::vector<NodeIndex>& nodes_;
    const std::uint32_t gpus_;
    const Parallelism& sizes_;
    const LinkModel& links_;
    std::vector<std::vector<std::uint64_t>> units_;  // [tier][node rank]
};

void describe_kinds(const Fabric& fabric,
                    const std::vector<NodeIndex>& nodes,
                    std::uint32_t gpus_per_node,
                    const CostWeights& weights,
                    std::uint32_t tiers,
                    PlacementFacts& facts) {
    const CommTime time = predict(fabric, nodes, gpus_per_node, facts.sizes, weights);
    const LinkModel links(fabric, weights);
    const EdgeCounter edges(fabric, nodes, gpus_per_node, facts.sizes, links, tiers);
    for (GroupKind kind : kGroupKinds) {
        if (group_size(facts.sizes, kind) <= 1) {
            continue;
        }
        KindFacts& here = facts.kinds[static_cast<std::size_t>(kind)];
        edges.count(kind, here);
        here.spread = spread_of(fabric, nodes, gpus_per_node, facts.sizes, kind);
        here.time = time[kind];
    }
    facts.predicted_seconds = time.seconds();
}

}  // namespace

PlacementFacts describe_set(const Fabric& fabric,
                            const std::vector<NodeIndex>& nodes,
                            std::uint32_t gpus_per_node,
                            const Hints& hints) {
    PlacementFacts facts;
    if (hints.tp && gpus_per_node > 0) {
        describe_groups(fabric, nodes, gpus_per_node, *hints.tp, facts);
    }
    facts.nvlink_domains = count_domains(fabric, nodes);
    const std::uint32_t quantum = quantum_nodes(hints, gpus_per_node);
    const auto quanta = static_cast<std::uint32_t>(nodes.size() / quantum);
    facts.ring_edges = quanta > 1 ? quanta : 0;
    std::uint32_t tiers = 0;
    for (const SwitchUnit& unit : fabric.units()) {
        tiers = std::max(tiers, unit.tier + 1);
    }
    for (std::uint32_t tier = 0; tier < tiers; ++tier) {
        describe_tier(fabric, nodes, quantum, tier, facts);
    }
    return facts;
}

PlacementFacts describe(const Fabric& fabric,
                        const std::vector<NodeIndex>& nodes,
                        std::uint32_t gpus_per_node,
                        const Hints& hints,
                        const CostWeights& weights) {
    PlacementFacts facts = describe_set(fabric, nodes, gpus_per_node, hints);
    const JobShape shape{static_cast<std::uint32_t>(nodes.size()), gpus_per_node};
    if (const auto sizes = derive_parallelism(hints, shape)) {
        facts.sizes = *sizes;
        const auto tiers = static_cast<std::uint32_t>(facts.units_touched.size());
        describe_kinds(fabric, nodes, gpus_per_node, weights, tiers, facts);
    }
    return facts;
}

}  // namespace yardmaster
