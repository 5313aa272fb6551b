// What one job asks of placement, read once from its record.
#pragma once

#include <cstdint>

#include "plugin/abi/slurm_abi.h"
#include "topology/hints.hpp"

namespace yardmaster {

struct Demand {
    std::uint32_t nodes = 1;  ///< nodes to look for
    /// The user fixed the number of nodes. If not, `nodes` is an estimate, and stock may need more.
    bool nodes_fixed = true;
    std::uint32_t gpus_per_node = 0;  ///< as the job will have them on average; 0: no GPUs
    std::uint32_t least_gpus = 0;     ///< a node with fewer free GPUs is of no use to the job
    std::uint32_t least_cpus = 1;     ///< likewise CPUs
    /// Only nodes of which the job takes every GPU: how the `rail` hint is kept, since then every
    /// node's indices, and with them its rails, are the same.
    bool all_gpus = false;
    /// Several jobs may have the same CPUs (OverSubscribe), so those in use say nothing.
    bool shares_cpus = false;
    bool whole_node = false;  ///< a node with any other job is of no use (--exclusive)
    Hints hints;
};

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
