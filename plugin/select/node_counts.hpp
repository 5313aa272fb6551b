// What every node has and has free, remembered between decisions.
#pragma once

#include <chrono>
#include <cstdint>
#include <ctime>
#include <vector>

#include "plugin/select/node_sets.hpp"
#include "topology/index_set.hpp"

namespace yardmaster {

struct NodeCount {
    std::uint32_t gpus = 0;  ///< configured
    std::uint32_t free_gpus = 0;
    std::uint32_t cpus = 0;      ///< that jobs may have in all
    std::time_t soft_until = 0;  ///< until when its SoftMark counts; 0: it has none
};

/// What a node has by GPU index, as ym_gpu_masks.
struct NodeMasks {
    bool indices = false;  ///< the GPUs have any; else the masks are 0
    GpuMask fit = 0;
    GpuMask free = 0;
    GpuMask shared = 0;
};

/// Reading a node's counts from Slurm costs a walk through its GRES list, and at 10,000 nodes was
/// half of a decision. GPUs are given and taken in operations of the select plugin only, so its
/// hooks say which nodes to read anew. What else may change a node (its registration, an admin's
/// update of its Gres or Extra) is seen kMaxAge later at most; until then stock's refusal is what a
/// wrong count costs. Nodes grow old in turns, so that no single decision reads them all.
class NodeCounts {
  public:
    using Clock = std::chrono::steady_clock;
    static constexpr std::chrono::seconds kMaxAge{5};

    /// The counts by node-table index, true for `nodes`. Valid until the next call of anything
    /// here.
    const std::vector<NodeCount>& read(const NodeSet& nodes, Clock::time_point now);
    /// The GPUs of one of the nodes read last, for jobs that ask for `gpu_type` (as ym_job_info).
    const NodeMasks& masks(std::int32_t node, std::uint32_t gpu_type);
    /// These nodes' counts may have changed.
    void forget(const NodeSet& nodes);
    void forget(std::int32_t node);
    void forget_all() { counts_.clear(); }

  private:
    void start_anew(std::size_t size, Clock::time_point now);
    void age(Clock::time_point now);

    std::vector<NodeCount> counts_;
    std::vector<std::uint8_t> known_;  // [node-table index]
    std::vector<NodeMasks> masks_;
    std::vector<std::uint8_t> masks_known_;
    std::uint32_t masks_type_ = 0;    // the one type that they are remembered for
    std::int32_t next_ = 0;           // whose turn it is to grow old
    Clock::time_point aged_until_{};  // how far the turns have come
};

}  // namespace yardmaster
