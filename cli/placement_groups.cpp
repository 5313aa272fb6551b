// Which units and domains a set of nodes lies in, and which TP groups they cut.
#include <algorithm>
#include <utility>

#include "cli/node_sets.hpp"
#include "cli/placement_report.hpp"
#include "cli/table.hpp"
#include "cli/words.hpp"

namespace yardmaster::cli {
namespace {

/// "core / pod1 / leaf3"; a node under no switch says so.
std::string unit_path(const Fabric& fabric, NodeIndex node) {
    std::vector<std::string> names;
    for (auto unit = fabric.node(node).leaf; unit; unit = fabric.unit(*unit).parent) {
        names.insert(names.begin(), fabric.unit(*unit).name);
    }
    return names.empty() ? "(no switch)" : join(names, " / ");
}

bool is_shared(const Fabric& fabric, NodeIndex node) {
    return fabric.domain(fabric.node(node).domain).nodes.size() > 1;
}

/// Whether `a` and `b` (neighbours in fabric order) belong in one line of print_groups.
bool same_line(const Fabric& fabric, NodeIndex a, NodeIndex b) {
    if (fabric.node(a).leaf != fabric.node(b).leaf) {
        return false;
    }
    const bool same_domain = fabric.node(a).domain == fabric.node(b).domain;
    return same_domain || (!is_shared(fabric, a) && !is_shared(fabric, b));
}

void add_group(const Fabric& fabric, const std::vector<NodeIndex>& group, Table& table) {
    const NodeIndex first = group.front();
    const std::string domain = is_shared(fabric, first)
                                   ? fabric.domain(fabric.node(first).domain).name
                                   : std::string("one each");
    table.add({unit_path(fabric, first),
               domain,
               std::to_string(group.size()),
               host_expression(node_names(fabric, in_name_order(fabric, group)))});
}

std::vector<std::string> domains_of(const Fabric& fabric, const std::vector<NodeIndex>& nodes) {
    std::vector<std::string> names;
    for (NodeIndex node : nodes) {
        const std::string& name = fabric.domain(fabric.node(node).domain).name;
        if (std::find(names.begin(), names.end(), name) == names.end()) {
            names.push_back(name);
        }
    }
    return names;
}

}  // namespace

void print_groups(const Fabric& fabric, const std::vector<NodeIndex>& nodes, std::ostream& out) {
    Table table({"switches", "NVLink domain", "nodes", ""});
    std::vector<NodeIndex> group;
    for (NodeIndex node : in_fabric_order(fabric, nodes)) {
        if (!group.empty() && !same_line(fabric, group.back(), node)) {
            add_group(fabric, std::exchange(group, {}), table);
        }
        group.push_back(node);
    }
    if (!group.empty()) {
        add_group(fabric, group, table);
    }
    table.print(out);
}

std::vector<SplitGroup> split_groups(const Fabric& fabric,
                                     const std::vector<NodeIndex>& nodes,
                                     std::uint32_t gpus_per_node,
                                     const Hints& hints) {
    std::vector<SplitGroup> split;
    const std::size_t tp = hints.tp.value_or(1);
    const std::size_t gpus = nodes.size() * gpus_per_node;
    if (tp <= 1 || gpus_per_node == 0) {
        return split;
    }
    for (std::size_t first = 0; first + tp <= gpus; first += tp) {
        const auto begin = nodes.begin() + static_cast<std::ptrdiff_t>(first / gpus_per_node);
        const auto end =
            nodes.begin() + static_cast<std::ptrdiff_t>((first + tp - 1) / gpus_per_node) + 1;
        SplitGroup group{static_cast<std::uint32_t>(first / tp), {begin, end}, {}};
        group.domains = domains_of(fabric, group.nodes);
        if (group.domains.size() > 1) {
            split.push_back(std::move(group));
        }
    }
    return split;
}

}  // namespace yardmaster::cli
