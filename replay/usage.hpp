// How full a fabric was over time.
#pragma once

#include <cstdint>
#include <vector>

#include "replay/simulation.hpp"

namespace yardmaster {

/// Means over a window of time.
struct Usage {
    double utilisation = 0;  ///< share of GPUs in use; a node without GPUs counts as one GPU
    double free_domains = 0;
    double free_leaf_groups = 0;
};

/// From second 0 to `window`; all 0 when it is not positive.
Usage usage_of(const Fabric& fabric,
               const std::vector<TraceJob>& jobs,
               const Schedule& schedule,
               std::int64_t window);

/// NVLink domains of several nodes, and leaf groups.
struct UnitCounts {
    std::uint32_t domains = 0;
    std::uint32_t leaf_groups = 0;
};
UnitCounts units_of(const Fabric& fabric);

}  // namespace yardmaster
