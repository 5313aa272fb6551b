#include "topology/fabric_walk.hpp"

#include <unordered_map>

namespace yardmaster {
namespace {

void visit(const Fabric& fabric, UnitIndex unit, std::vector<UnitIndex>& order) {
    for (const UnitIndex child : fabric.unit(unit).children) {
        visit(fabric, child, order);
    }
    order.push_back(unit);
}

void append(const std::vector<std::vector<NodeIndex>>& groups, std::vector<NodeIndex>& order) {
    for (const auto& group : groups) {
        order.insert(order.end(), group.begin(), group.end());
    }
}

}  // namespace

std::vector<UnitIndex> units_bottom_up(const Fabric& fabric) {
    std::vector<UnitIndex> order;
    for (std::size_t i = 0; i < fabric.units().size(); ++i) {
        if (!fabric.units()[i].parent) {
            visit(fabric, UnitIndex(i), order);  // at most FabricBuilder::kMaxTiers deep
        }
    }
    return order;
}

std::vector<std::vector<NodeIndex>> nodes_by_domain(const Fabric& fabric,
                                                    const std::vector<NodeIndex>& nodes) {
    std::vector<std::vector<NodeIndex>> groups;
    std::unordered_map<std::size_t, std::size_t> group_of;  // domain -> index into groups
    for (const NodeIndex node : nodes) {
        const auto [found, fresh] = group_of.emplace(raw(fabric.node(node).domain), groups.size());
        if (fresh) {
            groups.emplace_back();
        }
        groups[found->second].push_back(node);
    }
    return groups;
}

std::vector<NodeIndex> nodes_below_no_switch(const Fabric& fabric) {
    std::vector<NodeIndex> nodes;
    for (std::size_t i = 0; i < fabric.nodes().size(); ++i) {
        if (!fabric.nodes()[i].leaf) {
            nodes.push_back(NodeIndex(i));
        }
    }
    return nodes;
}

std::vector<NodeIndex> nodes_in_tree_order(const Fabric& fabric) {
    std::vector<NodeIndex> order;
    for (const UnitIndex unit : units_bottom_up(fabric)) {
        append(nodes_by_domain(fabric, fabric.unit(unit).nodes), order);
    }
    append(nodes_by_domain(fabric, nodes_below_no_switch(fabric)), order);
    return order;
}

}  // namespace yardmaster
