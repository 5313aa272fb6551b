#include "topology/index_set.hpp"

#include <algorithm>
#include <map>

#include "topology/gpu_subsets.hpp"

namespace yardmaster {
namespace {

using gpu_subsets::count;
using gpu_subsets::each_set;
using gpu_subsets::kMaskBits;

/// Calls `visit` with every aligned block of `size` indices that `set` touches.
template <typename Visit>
void each_block(GpuMask set, std::uint32_t size, Visit visit) {
    for (std::uint32_t first = 0; first < kMaskBits; first += size) {
        const GpuMask block = lowest_gpus(size) << first;
        if ((set & block) != 0) {
            visit(block);
        }
    }
}

std::uint32_t misalignment(GpuMask set) {
    std::uint32_t needless = 0;
    for (std::uint32_t size = 2; size < kMaskBits; size *= 2) {
        std::uint32_t touched = 0;
        each_block(set, size, [&](GpuMask) { ++touched; });
        needless += touched - (count(set) + size - 1) / size;
    }
    return needless;
}

std::uint64_t broken_blocks(GpuMask set, GpuMask free) {
    std::uint64_t broken = 0;
    for (std::uint32_t size = 2; size < kMaskBits; size *= 2) {
        if (size > count(set)) {
            each_block(set, size, [&](GpuMask block) { broken += (block & ~free) == 0 ? 1 : 0; });
        }
    }
    return broken;
}

std::uint64_t sockets_touched(GpuMask set, const NodeGpus& node) {
    return static_cast<std::uint64_t>(std::count_if(
        node.sockets.begin(), node.sockets.end(), [&](GpuMask gpus) { return (gpus & set) != 0; }));
}

/// Nodes that are alike, each kind once: a job's many nodes are of few kinds.
using Kinds = std::map<NodeGpus, std::uint64_t>;

Kinds kinds_of(std::span<const NodeGpus> nodes) {
    Kinds kinds;
    for (const NodeGpus& node : nodes) {
        ++kinds[node];
    }
    return kinds;
}

IndexSetCost cost_on(GpuMask set, const Kinds& kinds) {
    IndexSetCost cost;
    cost.misaligned = misalignment(set);
    cost.set = set;
    for (const auto& [node, nodes] : kinds) {
        cost.off_rail += nodes * count(set & ~node.on_rail);
        cost.far += nodes * count(set & ~node.near);
        cost.sockets += nodes * sockets_touched(set, node);
        cost.broken += nodes * broken_blocks(set, node.free);
    }
    return cost;
}

}  // namespace

IndexSetCost cost_of(GpuMask set, std::span<const NodeGpus> nodes) {
    return cost_on(set, kinds_of(nodes));
}

std::optional<GpuMask> best_common_set(std::span<const NodeGpus> nodes, std::uint32_t gpus) {
    const Kinds kinds = kinds_of(nodes);
    GpuMask common = nodes.empty() ? 0 : kAllGpus;
    for (const auto& [node, unused] : kinds) {
        common &= node.free;
    }
    std::optional<IndexSetCost> best;
    each_set(common, gpus, [&](GpuMask set) {
        const IndexSetCost cost = cost_on(set, kinds);
        best = best ? std::min(*best, cost) : cost;
    });
    return best ? std::optional(best->set) : std::nullopt;
}

GpuMask aligned_gpus(const Fabric& fabric, NodeIndex node) {
    const NodeType& type = fabric.type_of(node);
    GpuMask aligned = kAllGpus;
    for (const RailException& exception : fabric.node(node).exceptions) {
        const std::size_t gpu = raw(exception.gpu);
        const bool on_rail =
            exception.rail && gpu < type.rails.size() && exception.rail->nic == type.rails[gpu].nic;
        if (!on_rail && gpu < kMaskBits) {
            aligned &= ~(GpuMask{1} << gpu);
        }
    }
    return aligned;
}

GpuMask lowest_gpus(std::uint32_t gpus) {
    return gpus >= kMaskBits ? kAllGpus : (GpuMask{1} << gpus) - 1;
}

}  // namespace yardmaster
