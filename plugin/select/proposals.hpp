// Turns what is free at a moment into candidate node sets in Slurm's indices, best first.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "plugin/select/demand.hpp"
#include "plugin/select/node_map.hpp"
#include "plugin/select/supply.hpp"
#include "topology/placer.hpp"

namespace yardmaster {

struct Proposals {
    std::vector<NodeSet> sets;  ///< node-table indices, ascending, best set first
    std::string why_none;       ///< what is missing, when there are none
    bool cut = false;           ///< the limit was reached: there may be more
};

/// At most `limit` sets for `demand` out of `usable` (see Question::usable). None when a required
/// node is not usable or when the hard hints cannot be met. With the `rail` hint the nodes of each
/// set have free GPUs of the same indices.
Proposals propose(const Placer& placer,
                  const Fabric& fabric,
                  const NodeMap& map,
                  const Supply& supply,
                  const Demand& demand,
                  const FreeNodes& usable,
                  std::uint32_t limit);

}  // namespace yardmaster
