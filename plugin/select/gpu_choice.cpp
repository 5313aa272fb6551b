#include "plugin/select/gpu_choice.hpp"

#include <algorithm>
#include <bit>

#include "plugin/abi/gpu_marks.h"

namespace yardmaster {
namespace {

std::uint32_t count(GpuMask mask) {
    return static_cast<std::uint32_t>(std::popcount(mask));
}

/// [place in `nodes` * YM_MOST_SOCKETS + socket] cores that jobs run on now.
std::vector<std::uint32_t> busy_cores(const NodeSet& nodes) {
    std::vector<std::int32_t> slots(static_cast<std::size_t>(ym_node_count()), -1);
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        slots[static_cast<std::size_t>(nodes[i])] = static_cast<std::int32_t>(i);
    }
    std::vector<std::uint32_t> busy(nodes.size() * YM_MOST_SOCKETS);
    if (!busy.empty()) {
        ym_add_busy_cores(slots.data(), busy.data());
    }
    return busy;
}

/// `busy`: of this node, by socket.
void read_sockets(std::int32_t node, const std::uint32_t* busy, NodeGpus& gpus) {
    static_assert(kMostSockets == YM_MOST_SOCKETS);
    ym_gpu_sockets sockets;
    ym_node_gpu_sockets(node, &sockets);
    if (sockets.sockets == 0) {
        return;
    }
    gpus.near = 0;
    for (std::size_t s = 0; s < sockets.sockets; ++s) {
        gpus.sockets[s] = sockets.near[s];
        if (busy[s] < sockets.cores) {
            gpus.near |= sockets.near[s];
        }
    }
}

GpuMask on_rail(const Fabric& fabric, const NodeMap& map, std::int32_t node) {
    const auto index = map.fabric_node(node);
    return index ? aligned_gpus(fabric, *index) : kAllGpus;
}

std::vector<NodeGpus> describe_gpus(const NodeSet& nodes,
                                    const FreeNodes& free,
                                    const Fabric& fabric,
                                    const NodeMap& map,
                                    bool cores_of_now) {
    std::vector<NodeGpus> result(nodes.size());
    const auto busy = busy_cores(cores_of_now ? nodes : NodeSet{});
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        result[i].free = free.gpus[static_cast<std::size_t>(nodes[i])];
        if (nodes.size() > 1) {  // a job on one node uses no rail
            result[i].on_rail = on_rail(fabric, map, nodes[i]);
        }
        if (cores_of_now) {
            read_sockets(nodes[i], &busy[i * YM_MOST_SOCKETS], result[i]);
        }
    }
    return result;
}

void keep_near_gpus(FreeNodes& free) {
    const auto busy = busy_cores(free.nodes);
    for (std::size_t i = 0; i < free.nodes.size(); ++i) {
        NodeGpus gpus;
        read_sockets(free.nodes[i], &busy[i * YM_MOST_SOCKETS], gpus);
        free.gpus[static_cast<std::size_t>(free.nodes[i])] &= gpus.near;
    }
}

}  // namespace

void restrict_gpus(FreeNodes& free,
                   const Demand& demand,
                   const Fabric& fabric,
                   const NodeMap& map,
                   bool cores_of_now) {
    if (free.gpus.empty()) {
        return;
    }
    if (demand.enforce_binding && demand.maskable && cores_of_now) {
        keep_near_gpus(free);
    }
    if (demand.hints.rail && demand.nodes > 1) {
        for (const std::int32_t node : free.nodes) {
            free.gpus[static_cast<std::size_t>(node)] &= on_rail(fabric, map, node);
        }
    }
    if (demand.needs_indices()) {
        std::erase_if(free.nodes, [&](std::int32_t node) {
            return count(free.gpus[static_cast<std::size_t>(node)]) < std::max(demand.indices, 1U);
        });
    }
}

GpuChoice choose_gpus(const NodeSet& nodes,
                      const FreeNodes& free,
                      const Demand& demand,
                      const Fabric& fabric,
                      const NodeMap& map,
                      bool cores_of_now) {
    GpuChoice choice;
    if (free.gpus.empty() || demand.indices == 0) {
        return choice;
    }
    const auto gpus = describe_gpus(nodes, free, fabric, map, cores_of_now && !demand.whole_node);
    choice.known = std::all_of(gpus.begin(), gpus.end(), [&](const NodeGpus& node) {
        return count(node.free) >= demand.indices;
    });
    if (!choice.known) {
        return choice;
    }
    const auto common = best_common_set(gpus, demand.indices);
    choice.common = common.value_or(0);
    if (!demand.maskable) {
        return choice;
    }
    for (const NodeGpus& node : gpus) {
        choice.keep.push_back(common ? *common : *best_common_set({&node, 1}, demand.indices));
    }
    return choice;
}

}  // namespace yardmaster
