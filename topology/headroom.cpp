#include "topology/headroom.hpp"

#include <algorithm>
#include <map>

#include "topology/hints.hpp"

namespace yardmaster {
namespace {

bool wholly_free(const std::vector<NodeIndex>& nodes, const std::vector<NodeOffer>& offers) {
    return std::all_of(nodes.begin(), nodes.end(), [&](NodeIndex node) {
        return offers[raw(node)].usable && !offers[raw(node)].part_used;
    });
}

/// The root above a node; none: it hangs below no switch.
std::optional<UnitIndex> root_of(const Fabric& fabric, NodeIndex node) {
    std::optional<UnitIndex> at = fabric.node(node).leaf;
    while (at && fabric.unit(*at).parent) {
        at = fabric.unit(*at).parent;
    }
    return at;
}

}  // namespace

FreeUnits free_domains(const Fabric& fabric, const std::vector<NodeOffer>& offers) {
    FreeUnits free;
    for (const NvlinkDomain& domain : fabric.domains()) {
        if (domain.nodes.size() > 1) {
            free.all += 1;
            free.whole += wholly_free(domain.nodes, offers) ? 1 : 0;
        }
    }
    return free;
}

FreeUnits free_leaf_groups(const Fabric& fabric, const std::vector<NodeOffer>& offers) {
    FreeUnits free;
    for (const SwitchUnit& unit : fabric.units()) {
        if (!unit.nodes.empty()) {
            free.all += 1;
            free.whole += wholly_free(unit.nodes, offers) ? 1 : 0;
        }
    }
    return free;
}

std::uint32_t largest_placeable(const Fabric& fabric,
                                const std::vector<NodeOffer>& offers,
                                std::uint32_t gpus_per_node,
                                std::uint32_t tp) {
    Hints hints;
    hints.tp = tp;
    const std::uint32_t quantum = quantum_nodes(hints, gpus_per_node);
    std::map<std::optional<UnitIndex>, std::uint32_t> per_fabric;
    for (const NvlinkDomain& domain : fabric.domains()) {
        std::map<std::optional<UnitIndex>, std::uint32_t> usable;
        for (NodeIndex node : domain.nodes) {
            const bool fits = fabric.type_of(node).gpus >= gpus_per_node;
            usable[root_of(fabric, node)] += fits && offers[raw(node)].usable ? 1 : 0;
        }
        for (const auto& [root, nodes] : usable) {
            per_fabric[root] += nodes / quantum * quantum;
        }
    }
    std::uint32_t largest = 0;
    for (const auto& [root, nodes] : per_fabric) {
        largest = std::max(largest, nodes);
    }
    return largest;
}

}  // namespace yardmaster
