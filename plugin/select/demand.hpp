// What one job asks of placement, read once from its record.
#pragma once

#include <cstdint>

#include "plugin/abi/slurm_abi.h"
#include "plugin/common/job_size.hpp"
#include "topology/hints.hpp"

namespace yardmaster {

struct Demand {
    std::uint32_t nodes = 1;  ///< nodes to look for
    /// The user fixed the number of nodes. If not, `nodes` is an estimate, and stock may need more.
    bool nodes_fixed = true;
    std::uint32_t gpus_per_node = 0;  ///< as the job will have them on average; 0: no GPUs
    std::uint32_t least_gpus = 0;     ///< a node with fewer free GPUs is of no use to the job
    std::uint32_t least_cpus = 1;     ///< likewise CPUs
    bool whole_node = false;          ///< a node with any other job is of no use (--exclusive)
    std::uint32_t gpu_type = 0;       ///< as in ym_job_info
    bool enforce_binding = false;     ///< only GPUs near free cores are of use
    /// Its GPUs are all of one type and it leaves the rest of a node to others: so we may choose
    /// which ones it gets, and hide the others from stock.
    bool maskable = false;
    /// GPUs that the job takes of each node, by index: gpus_per_node, or all of a whole node. 0:
    /// not the same number on every node.
    std::uint32_t indices = 0;
    /// Only hiding GPUs makes stock deal them out evenly, which hard hints need.
    bool even_by_hiding = false;
    /// Leaf groups that the job may touch at most for now (--switches=N@time); 0: any number.
    std::uint32_t most_leaf_groups = 0;
    /// Several jobs may have the same CPUs (OverSubscribe), so those in use say nothing.
    bool shares_cpus = false;
    Hints hints;

    /// Whether the job rather waits than being placed otherwise.
    bool binds() const { return hints.hard() || most_leaf_groups > 0; }
    /// Whether nodes whose free GPUs are not known by index are of no use to the job.
    bool needs_indices() const {
        return hints.rail || (hints.hard() && even_by_hiding && indices > 0);
    }
    /// Whether the job takes every GPU of a node that has `node_gpus`: then nothing is to be
    /// chosen.
    bool takes_all_of(std::uint32_t node_gpus) const {
        return node_gpus > 0 && node_gpus == indices;
    }
};

/// What the user said of the job's extent.
JobSize size_of(const ym_job_test& test, const ym_job_info& info);

/// `demand` with its extent fixed at `shape`: so many nodes, so many GPUs on each, no other split.
Demand fixed_at(const Demand& demand, const JobShape& shape);

/// `info` and the node counts of one job_test, with the job's hints. GPUs per node of the cluster's
/// nodes are estimated by `node_gpus` and `node_cpus` where the job fixed no number of nodes.
Demand read_demand(const ym_job_test& test,
                   const ym_job_info& info,
                   const Hints& hints,
                   std::uint32_t node_gpus,
                   std::uint32_t node_cpus);

/// Stock has a plan of its own for jobs of this kind (feature counts, contiguous, spread, shared
/// nodes, zero nodes, tests of reservations), which a smaller candidate set would spoil.
bool belongs_to_stock(const ym_job_test& test, const ym_job_info& info, const Hints& hints);

}  // namespace yardmaster
