// Which nodes are taken, and how far.
#pragma once

#include <cstdint>
#include <vector>

#include "replay/trace.hpp"
#include "topology/placer.hpp"

namespace yardmaster {

/// A job takes its GPUs of every node it gets; one without GPUs takes whole nodes, because a trace
/// does not say how many CPUs it needs. A node's CPUs and memory are taken to suffice for its GPUs.
class Occupancy {
  public:
    explicit Occupancy(const Fabric& fabric);

    void take(const TraceJob& job, const std::vector<NodeIndex>& nodes);
    void give_back(const TraceJob& job, const std::vector<NodeIndex>& nodes);

    /// What is free for `job`. `kept_free` ([NodeIndex], nonzero) is not offered; may be empty.
    PlacementRequest request_for(const TraceJob& job,
                                 const std::vector<std::uint8_t>& kept_free) const;

  private:
    /// GPUs that `job` takes of a node; of a node without GPUs one, which stands for all of it.
    std::uint32_t share(const TraceJob& job, std::size_t node) const;
    bool fits(const TraceJob& job, std::size_t node) const;

    const Fabric& fabric_;
    std::vector<std::uint32_t> capacity_;  // [NodeIndex] GPUs; 1 for a node without
    std::vector<std::uint32_t> used_;      // [NodeIndex]
};

}  // namespace yardmaster
