// The fabric's nodes as slurmctld sees them now.
#pragma once

#include <vector>

#include "cli/picture.hpp"
#include "cli/slurm_client.hpp"
#include "topology/fabric.hpp"
#include "topology/placer.hpp"

namespace yardmaster::cli {

CellState cell_state(const SlurmNode& node);

/// [NodeIndex]; `unknown` for nodes that Slurm does not have.
std::vector<CellState> live_states(const Fabric& fabric,
                                   const std::vector<SlurmNode>& cluster,
                                   CellState unknown);

/// [NodeIndex] Slurm's record of every node; null for those that Slurm does not have. Points into
/// `cluster`.
std::vector<const SlurmNode*> live_records(const Fabric& fabric,
                                           const std::vector<SlurmNode>& cluster);

/// What every node offers now to a job of `gpus_per_node`, as far as GPUs and states tell: CPUs,
/// memory, features and partitions are not looked at. A job without GPUs is offered nodes that are
/// not full.
std::vector<NodeOffer> live_offers(const Fabric& fabric,
                                   const std::vector<SlurmNode>& cluster,
                                   std::uint32_t gpus_per_node);

}  // namespace yardmaster::cli
