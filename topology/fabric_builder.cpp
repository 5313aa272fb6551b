#include "topology/fabric_builder.hpp"

#include <algorithm>
#include <utility>

namespace yardmaster {
namespace {

std::string quoted(std::string_view text) {
    return "\"" + std::string(text) + "\"";
}

Status malformed(std::string message) {
    return {ErrorCode::kMalformed, std::move(message)};
}

std::string count_of(std::size_t count, std::string_view noun) {
    return std::to_string(count) + " " + std::string(noun) + (count == 1 ? "" : "s");
}

}  // namespace

Status FabricBuilder::add_type(NodeType type) {
    if (type.name.empty()) {
        return malformed("a node type needs a name");
    }
    if (!type.rails.empty() && type.rails.size() != type.gpus) {
        return malformed("node type " + quoted(type.name) + " has " +
                         count_of(type.rails.size(), "rail") + " for " +
                         count_of(type.gpus, "GPU") +
                         "; list one rail per GPU in GPU order, or none at all");
    }
    const auto index = static_cast<std::uint32_t>(fabric_.types_.size());
    if (!type_by_name_.emplace(type.name, index).second) {
        return malformed("node type " + quoted(type.name) + " is defined twice");
    }
    fabric_.types_.push_back(std::move(type));
    return Status::ok();
}

Status FabricBuilder::add_nodes(const std::vector<std::string>& names, std::string_view type) {
    const auto found = type_by_name_.find(std::string(type));
    if (found == type_by_name_.end()) {
        return malformed("node type " + quoted(type) + " is not defined in node_types");
    }
    for (const std::string& name : names) {
        const NodeIndex index{static_cast<std::uint32_t>(fabric_.nodes_.size())};
        if (!fabric_.by_name_.emplace(name, index).second) {
            return malformed("node " + quoted(name) + " is listed twice; give each node once");
        }
        FabricNode node;
        node.name = name;
        node.type = found->second;
        fabric_.nodes_.push_back(std::move(node));
        in_domain_.push_back(false);
    }
    return Status::ok();
}

Result<NodeIndex> FabricBuilder::known_node(std::string_view name) const {
    if (const auto index = fabric_.find(name)) {
        return *index;
    }
    return malformed("node " + quoted(name) + " is not defined in nodes");
}

Status FabricBuilder::add_domain(std::string name, const std::vector<std::string>& nodes) {
    if (name.empty() || nodes.empty()) {
        return malformed("an NVLink domain needs a name and at least one node");
    }
    if (!domain_names_.insert(name).second) {
        return malformed("NVLink domain " + quoted(name) + " is defined twice");
    }
    const DomainIndex domain{static_cast<std::uint32_t>(fabric_.domains_.size())};
    std::vector<NodeIndex> members;
    for (const std::string& node_name : nodes) {
        auto node = known_node(node_name);
        if (!node) {
            return node.status();
        }
        if (in_domain_[raw(*node)]) {
            const DomainIndex other = fabric_.nodes_[raw(*node)].domain;
            const std::string& holder = other == domain ? name : fabric_.domain(other).name;
            return malformed("node " + quoted(node_name) + " is already in NVLink domain " +
                             quoted(holder) + "; a node is in one domain, once");
        }
        in_domain_[raw(*node)] = true;
        fabric_.nodes_[raw(*node)].domain = domain;
        members.push_back(*node);
    }
    std::sort(members.begin(), members.end());
    fabric_.domains_.push_back({std::move(name), std::move(members)});
    return Status::ok();
}

Result<UnitIndex> FabricBuilder::add_unit(std::string name,
                                          std::optional<UnitIndex> parent,
                                          double oversubscription) {
    if (name.empty()) {
        return malformed("a switch unit needs a name");
    }
    if (!(oversubscription >= 1)) {
        return malformed("switch unit " + quoted(name) +
                         " has an oversubscription below 1; write bandwidth below it divided by "
                         "bandwidth of its uplinks, 1 when non-blocking");
    }
    if (!unit_names_.insert(name).second) {
        return malformed("switch unit " + quoted(name) + " is defined twice; names are unique");
    }
    const std::uint32_t depth = parent ? depth_[raw(*parent)] + 1 : 1;
    if (depth > kMaxTiers) {
        return malformed("switch unit " + quoted(name) + " lies " + std::to_string(depth) +
                         " tiers deep; at most " + std::to_string(kMaxTiers) + " are supported");
    }
    const UnitIndex index{static_cast<std::uint32_t>(fabric_.units_.size())};
    SwitchUnit unit;
    unit.name = std::move(name);
    unit.parent = parent;
    unit.oversubscription = oversubscription;
    if (parent) {
        fabric_.units_[raw(*parent)].children.push_back(index);
    }
    fabric_.units_.push_back(std::move(unit));
    depth_.push_back(depth);
    return index;
}

Status FabricBuilder::add_leaf_nodes(UnitIndex index, const std::vector<std::string>& nodes) {
    SwitchUnit& unit = fabric_.units_[raw(index)];
    for (const std::string& name : nodes) {
        auto node = known_node(name);
        if (!node) {
            return node.status();
        }
        auto& leaf = fabric_.nodes_[raw(*node)].leaf;
        if (leaf) {
            return malformed("node " + quoted(name) + " is already in leaf group " +
                             quoted(fabric_.unit(*leaf).name) +
                             "; a node hangs below one leaf group, once");
        }
        leaf = index;
        unit.nodes.push_back(*node);
    }
    std::sort(unit.nodes.begin(), unit.nodes.end());
    return Status::ok();
}

Status FabricBuilder::add_exception(std::string_view node_name, RailException exception) {
    auto node = known_node(node_name);
    if (!node) {
        return node.status();
    }
    FabricNode& holder = fabric_.nodes_[raw(*node)];
    const std::uint16_t gpus = fabric_.type_of(*node).gpus;
    if (raw(exception.gpu) >= gpus) {
        return malformed("node " + quoted(node_name) + " has no GPU " +
                         std::to_string(raw(exception.gpu)) + "; its type has " +
                         count_of(gpus, "GPU") + ", counted from 0");
    }
    for (const RailException& other : holder.exceptions) {
        if (other.gpu == exception.gpu) {
            return malformed("node " + quoted(node_name) + " has two exceptions for GPU " +
                             std::to_string(raw(exception.gpu)) + "; keep one");
        }
    }
    holder.exceptions.push_back(std::move(exception));
    return Status::ok();
}

Status FabricBuilder::add_lone_domains() {
    for (std::size_t i = 0; i < fabric_.nodes_.size(); ++i) {
        if (in_domain_[i]) {
            continue;
        }
        FabricNode& node = fabric_.nodes_[i];
        if (!domain_names_.insert(node.name).second) {
            return malformed("NVLink domain " + quoted(node.name) +
                             " is named after a node outside it; rename the domain");
        }
        node.domain = DomainIndex{static_cast<std::uint32_t>(fabric_.domains_.size())};
        fabric_.domains_.push_back({node.name, {NodeIndex{static_cast<std::uint32_t>(i)}}});
    }
    return Status::ok();
}

Status FabricBuilder::settle_tiers() {
    // Parents stand before their children, so backwards is bottom-up.
    for (std::size_t i = fabric_.units_.size(); i-- > 0;) {
        const SwitchUnit& unit = fabric_.units_[i];
        if (unit.children.empty() == unit.nodes.empty()) {
            return malformed("switch unit " + quoted(unit.name) +
                             " must hold either units or nodes, not both or neither");
        }
        if (unit.parent) {
            SwitchUnit& parent = fabric_.units_[raw(*unit.parent)];
            parent.tier = std::max(parent.tier, unit.tier + 1);
        }
    }
    return Status::ok();
}

Result<Fabric> FabricBuilder::build() && {
    if (fabric_.nodes_.empty()) {
        return malformed("a fabric needs at least one node");
    }
    if (Status status = add_lone_domains(); !status) {
        return status;
    }
    if (Status status = settle_tiers(); !status) {
        return status;
    }
    return std::move(fabric_);
}

}  // namespace yardmaster
