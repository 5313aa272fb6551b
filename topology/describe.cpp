// describe: the facts of a set of nodes in rank order.
#include <algorithm>

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

}  // namespace

PlacementFacts describe(const Fabric& fabric,
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

}  // namespace yardmaster
