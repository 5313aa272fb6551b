// The fabric's nodes in the order of its tree.
#pragma once

#include <vector>

#include "topology/fabric.hpp"

namespace yardmaster {

/// Units from the leaf groups up, in the order of the file: every unit after its children.
std::vector<UnitIndex> units_bottom_up(const Fabric& fabric);

/// A leaf group's nodes, those of one NVLink domain together, in the order of the domains' first
/// nodes.
std::vector<std::vector<NodeIndex>> nodes_by_domain(const Fabric& fabric,
                                                    const std::vector<NodeIndex>& nodes);

/// Nodes below no switch, ascending.
std::vector<NodeIndex> nodes_below_no_switch(const Fabric& fabric);

/// All nodes: by leaf groups as above, in each by domains; those below no switch last, by domains.
std::vector<NodeIndex> nodes_in_tree_order(const Fabric& fabric);

}  // namespace yardmaster
