// The environment variables that tell the processes of a job who they are.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "topology/parallel.hpp"
#include "topology/rank_sheet.hpp"

namespace yardmaster {

/// The ranks of the nodes on which one step, or the whole job, runs.
struct RankLayout {
    RankOrder order = RankOrder::kSlurm;
    std::vector<std::string> nodes;  ///< [node rank]; layout_at leaves it empty
    std::uint32_t nnodes = 0;
    std::string master;                ///< node rank 0
    std::uint32_t gpus_per_node = 0;   ///< 0: not known
    std::optional<Parallelism> sizes;  ///< none: no hints, or they do not fit these nodes
    std::string no_sizes;              ///< why not; "" when the job has no hints

    std::optional<std::uint32_t> node_rank(std::string_view node) const;
    /// The rank of a node's process with this local rank.
    Rank rank(std::uint32_t node_rank, std::uint32_t local) const {
        return Rank{node_rank * gpus_per_node + local};
    }
};

/// The layout of a step on `slurm_nodes` (in Slurm's order): the sheet's order without the nodes
/// that the step leaves out. Group sizes are derived anew for the step's number of nodes. A node
/// that the sheet does not know makes the order Slurm's.
RankLayout layout_of(const RankSheet& sheet, const std::vector<std::string>& slurm_nodes);

/// A layout whose order is known to be that of `nnodes` nodes with this first one.
RankLayout layout_at(const RankSheet& sheet, std::uint32_t nnodes, const std::string& master);

struct RankVariable {
    std::string name;
    std::string value;
    bool operator==(const RankVariable&) const = default;
};

/// Every name that the functions below can give.
std::span<const std::string_view> rank_variable_names();

/// RANK_ORDER, NNODES, NODE_RANK, MASTER_ADDR; NPROC_PER_NODE and the groups' sizes when known.
std::vector<RankVariable> node_variables(const RankLayout& layout, std::uint32_t node_rank);

/// The process with local rank `local`: RANK and, when the layout has sizes, its place in each
/// group (TP_RANK) and the group's number (TP_GROUP), likewise for cp, ep, dp and pp. Needs
/// layout.gpus_per_node > local.
std::vector<RankVariable> task_variables(const RankLayout& layout,
                                         std::uint32_t node_rank,
                                         std::uint32_t local);

/// What a launcher that starts a node's processes itself can hand on to them: places and groups as
/// above, one value where all of the node's processes share it, else a comma list by local rank.
std::vector<RankVariable> group_variables(const RankLayout& layout, std::uint32_t node_rank);

/// RAIL (the GPU index) and RAIL_NIC of `gpus`, GPU indices by local rank, written likewise. "-":
/// no NIC, or not known; RAIL_NIC is left out when none is known.
std::vector<RankVariable> rail_variables(const RankSheet& sheet,
                                         std::string_view node,
                                         std::span<const std::uint32_t> gpus);

}  // namespace yardmaster
