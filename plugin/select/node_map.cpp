#include "plugin/select/node_map.hpp"

#include <algorithm>

#include "plugin/abi/slurm_abi.h"

namespace yardmaster {

NodeMap::NodeMap(const Fabric& fabric)
    : to_fabric_(static_cast<std::size_t>(ym_node_count()), kNone),
      to_slurm_(fabric.nodes().size(), -1) {
    for (std::int32_t node = 0; node < ym_node_count(); ++node) {
        const char* name = ym_node_name(node);
        const auto found = name == nullptr ? std::nullopt : fabric.find(name);
        if (found) {
            to_fabric_[static_cast<std::size_t>(node)] = static_cast<std::uint32_t>(*found);
            to_slurm_[raw(*found)] = node;
        }
    }
    unknown_to_slurm_ =
        static_cast<std::uint32_t>(std::count(to_slurm_.begin(), to_slurm_.end(), -1));
}

std::optional<NodeIndex> NodeMap::fabric_node(std::int32_t node) const {
    const auto i = static_cast<std::size_t>(node);
    if (node < 0 || i >= to_fabric_.size() || to_fabric_[i] == kNone) {
        return std::nullopt;
    }
    return NodeIndex{to_fabric_[i]};
}

bool NodeMap::still_true(const Fabric& fabric, NodeIndex node) const {
    const char* name = ym_node_name(slurm_node(node));
    return name != nullptr && fabric.node(node).name == name;
}

}  // namespace yardmaster
