// Which links lie between two GPUs, and what a byte costs on them.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "topology/cost_model.hpp"
#include "topology/fabric.hpp"

namespace yardmaster {

/// A GPU's way out of its node.
struct WayOut {
    double seconds_per_byte = 0;  ///< at line rate
    std::uint32_t rail = 0;       ///< same number: the same rail, whatever the GPU's index is
    bool shared = false;          ///< the GPU has no NIC of its own
};

/// How far apart two nodes are.
struct Distance {
    bool nvlink = false;    ///< one NVLink domain, or one node
    bool separate = false;  ///< no switch unit lies above both
    double extra = 0;       ///< time beside that at line rate, as a share of it
};

/// Prices of one fabric under one set of weights. `fabric` must outlive it.
class LinkModel {
  public:
    LinkModel(const Fabric& fabric, const CostWeights& weights);

    WayOut way_out(NodeIndex node, GpuIndex gpu) const;
    Distance distance(NodeIndex a, NodeIndex b) const;
    /// Seconds per byte on NVLink between two nodes of one domain, or inside one (a == b).
    double nvlink_seconds_per_byte(NodeIndex a, NodeIndex b) const;
    /// Seconds per byte from a GPU to another that is `away`.
    double seconds_per_byte(
        NodeIndex a, GpuIndex gpu_a, NodeIndex b, GpuIndex gpu_b, const Distance& away) const;
    /// Whether two GPUs have the same rail.
    bool aligned(NodeIndex a, GpuIndex gpu_a, NodeIndex b, GpuIndex gpu_b) const {
        return way_out(a, gpu_a).rail == way_out(b, gpu_b).rail;
    }
    /// What leaving (or entering) a unit adds, as a share of the time at line rate.
    double unit_extra(UnitIndex unit) const { return half_extra_[raw(unit)]; }

  private:
    double leaf_extra(NodeIndex node) const {
        const auto leaf = fabric_.node(node).leaf;
        return leaf ? half_extra_[raw(*leaf)] : 0;
    }

    const Fabric& fabric_;
    const CostWeights& weights_;
    std::vector<double> half_extra_;  // [UnitIndex]
};

}  // namespace yardmaster
