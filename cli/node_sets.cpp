#include "cli/node_sets.hpp"

#include <algorithm>
#include <cstring>
#include <tuple>
#include <utility>

#include "topology/hostlist.hpp"

namespace yardmaster::cli {

Result<std::vector<NodeIndex>> nodes_from_expression(const Fabric& fabric,
                                                     const std::string& expression,
                                                     const std::string& option) {
    const auto names = expand_hostlist(expression);
    if (!names) {
        return Status(ErrorCode::kInvalidArgument, option + ": " + names.status().message());
    }
    std::vector<NodeIndex> nodes;
    for (const std::string& name : *names) {
        const auto node = fabric.find(name);
        if (!node) {
            return Status(ErrorCode::kInvalidArgument,
                          option + ": the fabric file has no node " + name);
        }
        nodes.push_back(*node);
    }
    return nodes;
}

std::vector<std::string> node_names(const Fabric& fabric, const std::vector<NodeIndex>& nodes) {
    std::vector<std::string> names;
    for (NodeIndex node : nodes) {
        names.push_back(fabric.node(node).name);
    }
    return names;
}

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

std::vector<NodeIndex> first_fit(const Fabric& fabric, const PlacementRequest& request) {
    std::vector<NodeIndex> usable;
    for (std::size_t i = 0; i < request.offers.size(); ++i) {
        if (request.offers[i].usable || request.offers[i].required) {
            usable.push_back(NodeIndex(i));
        }
    }
    if (usable.size() < request.nodes) {
        return {};
    }
    usable = in_name_order(fabric, std::move(usable));
    std::stable_partition(usable.begin(), usable.end(), [&request](NodeIndex node) {
        return request.offers[raw(node)].required;
    });
    usable.resize(request.nodes);
    return in_name_order(fabric, std::move(usable));
}

PlacementRequest request_on_empty_fabric(const Fabric& fabric,
                                         std::uint32_t nodes,
                                         std::uint32_t gpus_per_node,
                                         const Hints& hints) {
    PlacementRequest request;
    request.nodes = nodes;
    request.gpus_per_node = gpus_per_node;
    request.hints = hints;
    request.offers.resize(fabric.nodes().size());
    for (std::size_t i = 0; i < request.offers.size(); ++i) {
        request.offers[i].usable = fabric.type_of(NodeIndex(i)).gpus >= gpus_per_node;
    }
    return request;
}

}  // namespace yardmaster::cli
