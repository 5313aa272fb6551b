// The extents that a job may have: so many nodes with so many GPUs on each.
#pragma once

#include <cstdint>
#include <vector>

#include "base/status.hpp"
#include "topology/fabric.hpp"
#include "topology/hints.hpp"

namespace yardmaster {

/// What a user said of a job's extent. 0: not said.
struct JobSize {
    std::uint32_t min_nodes = 0;
    std::uint32_t max_nodes = 0;
    bool as_many_as_possible = false;  ///< -N2-8: up to the upper end; else as few as will do
    std::uint32_t gpus_per_node = 0;
    std::uint32_t gpus = 0;  ///< of the whole job
    std::uint32_t gpus_per_task = 0;
    std::uint32_t tasks = 0;
    std::uint32_t tasks_per_node = 0;

    bool nodes_fixed() const { return min_nodes > 0 && min_nodes == max_nodes; }
    bool asks_for_gpus() const { return gpus_per_node + gpus + gpus_per_task > 0; }
};

/// GPUs on each of `nodes` nodes, if the job's GPUs can be dealt out evenly; else 0.
std::uint32_t even_gpus(const JobSize& size, std::uint32_t nodes);

/// Shapes with the same number of GPUs on every node that the job may have and that `hints` can
/// have on the empty `fabric`, to be tried in this order: the most nodes first of a range (not
/// every number of a long one), else the fewest first. Never empty. Errors, for the user's eyes:
/// kInvalidArgument and kInfeasible, as check_feasible has them for the first shape, or because no
/// number of nodes deals the GPUs out evenly.
Result<std::vector<JobShape>> shapes_of(const JobSize& size,
                                        const Hints& hints,
                                        const Fabric& fabric);

}  // namespace yardmaster
