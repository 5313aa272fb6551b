#include "topology/node_order.hpp"

#include <algorithm>
#include <cstring>
#include <tuple>
#include <utility>

namespace yardmaster {

std::vector<NodeIndex> in_name_order(const Fabric& fabric, std::vector<NodeIndex> nodes) {
    std::sort(nodes.begin(), nodes.end(), [&fabric](NodeIndex a, NodeIndex b) {
        return strverscmp(fabric.node(a).name.c_str(), fabric.node(b).name.c_str()) < 0;
    });
    return nodes;
}

std::vector<NodeIndex> in_fabric_order(const Fabric& fabric, std::vector<NodeIndex> nodes) {
    // Units from the root down; the parents' indices say nothing about the order of the tree.
    const auto key = [&fabric](NodeIndex node) {
        std::vector<std::size_t> path;
        for (auto unit = fabric.node(node).leaf; unit; unit = fabric.unit(*unit).parent) {
            path.insert(path.begin(), raw(*unit));
        }
        return std::tuple(std::move(path), raw(fabric.node(node).domain), raw(node));
    };
    std::sort(
        nodes.begin(), nodes.end(), [&key](NodeIndex a, NodeIndex b) { return key(a) < key(b); });
    return nodes;
}

}  // namespace yardmaster
