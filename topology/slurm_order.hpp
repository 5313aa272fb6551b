// What makes slurmctld rank nodes by their place in the fabric: files and lines for Slurm, written
// from a fabric. Which of them works depends on the series; each text says at its head what it
// needs.
#pragma once

#include <compare>
#include <string>
#include <string_view>

#include "base/status.hpp"
#include "topology/fabric.hpp"

namespace yardmaster {

/// A series of Slurm, "24.11".
struct SlurmSeries {
    std::uint32_t year = 0, month = 0;
    auto operator<=>(const SlurmSeries&) const = default;
};
/// "24.11", also "24.11.5". kInvalidArgument for anything else.
Result<SlurmSeries> parse_series(std::string_view text);

/// topology.conf for topology/tree: a switch for every unit, leaf groups in the order of the tree.
/// A leaf group that holds several NVLink domains is written with a switch for each, because Slurm
/// ranks by the lowest switches only. From 23.02 on TopologyParam=SwitchAsNodeRank ranks nodes by
/// these; in 22.05 topology/tree ranks nothing (topology_tree.c, topo_generate_node_ranking).
/// kMalformed: a unit's name is none for Slurm.
Result<std::string> topology_tree(const Fabric& fabric, SlurmSeries series);

/// topology.conf for topology/block: a block for every NVLink domain of several nodes; the smallest
/// is the base block. kUnsupported before 24.05: there is no such plugin, or it knows no
/// BlockSizes. kInfeasible: no domain has several nodes.
Result<std::string> topology_block(const Fabric& fabric, SlurmSeries series);

/// NodeName lines whose names, sorted, are in the order of the fabric, for a slurmctld that sorts
/// its nodes by name: `prefix` and a number, with today's names as host names.
std::string node_names_in_order(const Fabric& fabric, const std::string& prefix);

}  // namespace yardmaster
