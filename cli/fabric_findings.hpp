// What is odd about a fabric file, seen beside the cluster that it describes.
#pragma once

#include <string>
#include <vector>

#include "cli/slurm_client.hpp"
#include "topology/fabric.hpp"

namespace yardmaster::cli {

struct FabricFinding {
    bool warning = true;  ///< false: a remark that needs no action
    std::string text;
};

/// Nodes that only one side has, and GPU counts that differ between Gres and node type.
std::vector<FabricFinding> compare_with_slurm(const Fabric& fabric,
                                              const std::vector<SlurmNode>& cluster);

/// Units and NVLink domains whose nodes do not stand together in `order`, the order in which Slurm
/// ranks nodes. A job's ranks follow that order, so its rings hop back and forth there.
/// `source` says whose order it is ("slurmctld's node table", "Slurm's order by name").
std::vector<FabricFinding> check_node_order(const Fabric& fabric,
                                            const std::vector<NodeIndex>& order,
                                            const std::string& source);

/// All that speaks against `fabric` as the description of `cluster`, whose nodes stand in
/// node-table order: both of the above.
std::vector<FabricFinding> findings_against_slurm(const Fabric& fabric,
                                                  const std::vector<SlurmNode>& cluster);

}  // namespace yardmaster::cli
