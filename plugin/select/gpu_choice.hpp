// Which GPUs of a set of nodes a job shall get, by index.
#pragma once

#include <string>
#include <vector>

#include "plugin/select/demand.hpp"
#include "plugin/select/node_map.hpp"
#include "plugin/select/supply.hpp"
#include "topology/index_set.hpp"

namespace yardmaster {

struct GpuChoice {
    std::vector<GpuMask> keep;  ///< [node of the set] the GPUs to leave to stock; empty: all
    GpuMask common = 0;         ///< the indices that are the same on all nodes; 0: they differ
    bool known = false;         ///< GPU indices are known on all nodes
};

/// Leaves to `free` only what `demand` can use for its rails and its binding to cores: without the
/// `rail` hint GPUs on other rails stay. Nodes with too few GPUs left go when the job needs
/// indices.
void restrict_gpus(FreeNodes& free,
                   const Demand& demand,
                   const Fabric& fabric,
                   const NodeMap& map,
                   bool cores_of_now);

/// The best GPUs of `nodes` for `demand`: the same indices everywhere if there are such; else, each
/// node's best. `cores_of_now`: whether cores in use now matter (not for a plan of later).
GpuChoice choose_gpus(const NodeSet& nodes,
                      const FreeNodes& free,
                      const Demand& demand,
                      const Fabric& fabric,
                      const NodeMap& map,
                      bool cores_of_now);

}  // namespace yardmaster
