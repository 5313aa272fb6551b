// Slurm's bitmaps as lists of node-table indices, which is what the decision works with.
#pragma once

#include <cstdint>
#include <vector>

#include "plugin/abi/slurm_abi.h"

namespace yardmaster {

/// Node-table indices, ascending and distinct.
using NodeSet = std::vector<std::int32_t>;

inline NodeSet nodes_of(const ym_bitmap* bitmap) {
    NodeSet result(static_cast<std::size_t>(ym_bitmap_count(bitmap)));
    ym_bitmap_get(bitmap, result.data(), static_cast<int>(result.size()));
    return result;
}

/// The nodes that --nodelist requires.
inline NodeSet required_nodes_of(const ym_job* job) {
    NodeSet result(static_cast<std::size_t>(ym_job_required_nodes(job, nullptr, 0)));
    ym_job_required_nodes(job, result.data(), static_cast<int>(result.size()));
    return result;
}

/// The nodes that a job holds or held last.
inline NodeSet nodes_of(const ym_job* job) {
    NodeSet result(static_cast<std::size_t>(ym_job_nodes(job, nullptr, 0)));
    ym_job_nodes(job, result.data(), static_cast<int>(result.size()));
    return result;
}

inline void assign(ym_bitmap* bitmap, const NodeSet& nodes) {
    ym_bitmap_set(bitmap, nodes.data(), static_cast<int>(nodes.size()));
}

}  // namespace yardmaster
