// Sets of a fabric's nodes: from host list expressions and to them.
#pragma once

#include <string>
#include <vector>

#include "base/status.hpp"
#include "topology/fabric.hpp"
#include "topology/node_order.hpp"
#include "topology/placer.hpp"

namespace yardmaster::cli {

/// The nodes that `expression` names, in its order. kInvalidArgument for a bad expression or a name
/// that the fabric does not have; `option` says where it was written.
Result<std::vector<NodeIndex>> nodes_from_expression(const Fabric& fabric,
                                                     const std::string& expression,
                                                     const std::string& option);

std::vector<std::string> node_names(const Fabric& fabric, const std::vector<NodeIndex>& nodes);

/// The first `request.nodes` usable nodes by name, required ones first: what a scheduler that knows
/// no topology gives. Empty when there are too few.
std::vector<NodeIndex> first_fit(const Fabric& fabric, const PlacementRequest& request);

/// A request for `nodes` nodes with every node of the fabric free that has enough GPUs.
PlacementRequest request_on_empty_fabric(const Fabric& fabric,
                                         std::uint32_t nodes,
                                         std::uint32_t gpus_per_node,
                                         const Hints& hints);

}  // namespace yardmaster::cli
