#include "topology/link_speed.hpp"

#include <algorithm>
#include <cmath>

#include "topology/link_model.hpp"

namespace yardmaster {
namespace {

/// Slower than that makes no difference: nobody wants the node.
constexpr double kSlowest = 1000;

double slowness_of(const Fabric& fabric,
                   const LinkModel& links,
                   NodeIndex node,
                   double reference_seconds) {
    double slowest = 1;
    for (std::uint16_t gpu = 0; gpu < fabric.type_of(node).gpus; ++gpu) {
        const WayOut way = links.way_out(node, GpuIndex{gpu});
        double here = way.seconds_per_byte / reference_seconds;
        const auto leaf = fabric.node(node).leaf;
        if (leaf && way.rail != gpu) {
            here *= 1 + 2 * links.unit_extra(*leaf);
        }
        slowest = std::max(slowest, here);
    }
    return std::min(slowest, kSlowest);
}

}  // namespace

double reference_gbps(const Fabric& fabric, const CostWeights& weights) {
    double fastest = 0;
    for (const NodeType& type : fabric.types()) {
        for (const Rail& rail : type.rails) {
            fastest = std::max(fastest, rail.gbps);
        }
    }
    return fastest > 0 ? fastest : weights.default_rail_gbps;
}

HopCost nvlink_hop(const Fabric& fabric, const NodeType& type, const CostWeights& weights) {
    const double nvlink = type.nvlink_gigabytes_per_s > 0 ? type.nvlink_gigabytes_per_s
                                                          : weights.pcie_gigabytes_per_s;
    const double ratio = reference_gbps(fabric, weights) / 8 / nvlink;
    const auto hop = std::llround(ratio * static_cast<double>(kLineRateHop));
    return std::clamp<HopCost>(hop, 1, kLineRateHop);
}

std::vector<Slowness> node_slowness(const Fabric& fabric, const CostWeights& weights) {
    const LinkModel links(fabric, weights);
    const double reference = 8 / (reference_gbps(fabric, weights) * 1e9);
    std::vector<Slowness> of_type;
    std::vector<bool> known(fabric.types().size(), false);
    of_type.resize(fabric.types().size());
    std::vector<Slowness> slowness;
    for (std::uint32_t i = 0; i < fabric.nodes().size(); ++i) {
        const FabricNode& node = fabric.node(NodeIndex{i});
        const bool usual = node.exceptions.empty();
        if (!usual || !known[node.type]) {
            const double slow = slowness_of(fabric, links, NodeIndex{i}, reference);
            slowness.push_back(static_cast<Slowness>(std::llround(slow * kFullSpeed)));
            if (usual) {
                known[node.type] = true;
                of_type[node.type] = slowness.back();
            }
            continue;
        }
        slowness.push_back(of_type[node.type]);
    }
    return slowness;
}

}  // namespace yardmaster
