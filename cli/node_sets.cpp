#include "cli/node_sets.hpp"

#include <algorithm>
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
