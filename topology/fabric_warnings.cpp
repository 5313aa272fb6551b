#include "topology/fabric_warnings.hpp"

#include <algorithm>

#include "topology/hostlist.hpp"

namespace yardmaster {
namespace {

using Warnings = std::vector<std::string>;

std::string node_names(const Fabric& fabric, const std::vector<NodeIndex>& nodes) {
    constexpr std::size_t kMaxShown = 64;
    std::vector<std::string> names;
    for (std::size_t i = 0; i < std::min(nodes.size(), kMaxShown); ++i) {
        names.push_back(fabric.node(nodes[i]).name);
    }
    const bool cut = nodes.size() > kMaxShown;
    return compress_hostlist(names) + (cut ? ",... (" + std::to_string(nodes.size()) + ")" : "");
}

void warn_spanning_domain(const Fabric& fabric, const NvlinkDomain& domain, Warnings& warnings) {
    const auto first = fabric.node(domain.nodes.front()).leaf;
    for (NodeIndex i : domain.nodes) {
        const auto leaf = fabric.node(i).leaf;
        if (leaf == first) {
            continue;
        }
        const auto name = [&](std::optional<UnitIndex> unit) {
            return unit ? "\"" + fabric.unit(*unit).name + "\"" : std::string("no switch at all");
        };
        warnings.push_back("NVLink domain \"" + domain.name + "\" spans leaf groups (" +
                           name(first) + " and " + name(leaf) +
                           "): jobs inside it still cross leaf groups on their rails");
        return;
    }
}

void warn_mixed_domain(const Fabric& fabric, const NvlinkDomain& domain, Warnings& warnings) {
    const NodeType& first = fabric.type_of(domain.nodes.front());
    for (NodeIndex i : domain.nodes) {
        const NodeType& type = fabric.type_of(i);
        if (type.gpus != first.gpus) {
            warnings.push_back("NVLink domain \"" + domain.name + "\" mixes node types \"" +
                               first.name + "\" and \"" + type.name + "\" with " +
                               std::to_string(first.gpus) + " and " + std::to_string(type.gpus) +
                               " GPUs");
            return;
        }
    }
    if (domain.nodes.size() > 1 && first.nvlink_gigabytes_per_s == 0) {
        warnings.push_back("NVLink domain \"" + domain.name + "\" joins nodes of type \"" +
                           first.name + "\", which has no nvlink_gigabytes_per_s");
    }
}

void warn_type(const Fabric& fabric, std::uint32_t index, Warnings& warnings) {
    const NodeType& type = fabric.types()[index];
    const auto& nodes = fabric.nodes();
    const bool used = std::any_of(
        nodes.begin(), nodes.end(), [&](const FabricNode& node) { return node.type == index; });
    if (!used) {
        warnings.push_back("node type \"" + type.name + "\" is used by no node");
    }
    if (type.gpus > 0 && type.rails.empty()) {
        warnings.push_back("node type \"" + type.name +
                           "\" has GPUs but no rails: hint `rail` means nothing there, and the "
                           "prolog checks no NIC");
    }
    if (type.gpus > 1 && type.nvlink_gigabytes_per_s == 0) {
        warnings.push_back("node type \"" + type.name +
                           "\" has several GPUs but no nvlink_gigabytes_per_s: tp groups are "
                           "placed inside a node all the same");
    }
}

void warn_unplaced(const Fabric& fabric, Warnings& warnings) {
    std::vector<NodeIndex> unplaced;
    for (std::uint32_t i = 0; i < fabric.nodes().size(); ++i) {
        if (!fabric.node(NodeIndex{i}).leaf) {
            unplaced.push_back(NodeIndex{i});
        }
    }
    if (unplaced.size() == fabric.nodes().size()) {
        warnings.push_back("there are no switches: every node counts as a fabric of its own");
    } else if (!unplaced.empty()) {
        warnings.push_back("under no switch: " + node_names(fabric, unplaced) +
                           "; jobs are joined with them only when nothing else is free");
    }
}

void warn_roots(const Fabric& fabric, Warnings& warnings) {
    std::string names;
    std::size_t roots = 0;
    for (const SwitchUnit& unit : fabric.units()) {
        if (!unit.parent) {
            names += (roots++ > 0 ? ", " : "") + unit.name;
        }
    }
    if (roots > 1) {
        warnings.push_back(std::to_string(roots) + " separate fabrics (" + names +
                           "): jobs are joined across them only when nothing else is free; put "
                           "them under one unit if switches do connect them");
    }
}

void warn_missing_nics(const Fabric& fabric, Warnings& warnings) {
    std::vector<NodeIndex> nodes;
    for (std::uint32_t i = 0; i < fabric.nodes().size(); ++i) {
        const auto& exceptions = fabric.node(NodeIndex{i}).exceptions;
        if (std::any_of(exceptions.begin(), exceptions.end(), [](const RailException& exception) {
                return !exception.rail;
            })) {
            nodes.push_back(NodeIndex{i});
        }
    }
    if (!nodes.empty()) {
        warnings.push_back("a GPU without its NIC on " + node_names(fabric, nodes));
    }
}

}  // namespace

std::vector<std::string> fabric_warnings(const Fabric& fabric) {
    Warnings warnings;
    for (std::uint32_t i = 0; i < fabric.types().size(); ++i) {
        warn_type(fabric, i, warnings);
    }
    for (const NvlinkDomain& domain : fabric.domains()) {
        warn_spanning_domain(fabric, domain, warnings);
        warn_mixed_domain(fabric, domain, warnings);
    }
    warn_unplaced(fabric, warnings);
    warn_roots(fabric, warnings);
    warn_missing_nics(fabric, warnings);
    return warnings;
}

}  // namespace yardmaster
