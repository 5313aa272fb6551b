// Orders in which Slurm may rank the nodes of a job.
#pragma once

#include <vector>

#include "topology/fabric.hpp"

namespace yardmaster {

/// Slurm's node-table order when no topology plugin ranks nodes: by name, numbers by value.
/// Source: slurmctld/read_config.c, _sort_nodes_by_name.
std::vector<NodeIndex> in_name_order(const Fabric& fabric, std::vector<NodeIndex> nodes);

/// In the order of the fabric file's tree: by root, ..., leaf group, NVLink domain, index.
std::vector<NodeIndex> in_fabric_order(const Fabric& fabric, std::vector<NodeIndex> nodes);

}  // namespace yardmaster
