#include "topology/link_speed.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "topology/link_model.hpp"

namespace yardmaster {
namespace {

/// Slower than that makes no difference: nobody wants the node.
constexpr double kSlowest = 1000;

std::vector<RailLane> lanes_of(const Fabric& fabric,
                               const LinkModel& links,
                               NodeIndex node,
                               double reference_seconds) {
    std::vector<RailLane> lanes;
    for (std::uint16_t gpu = 0; gpu < fabric.type_of(node).gpus; ++gpu) {
        const WayOut way = links.way_out(node, GpuIndex{gpu});
        const double slow = std::clamp(way.seconds_per_byte / reference_seconds, 1.0, kSlowest);
        lanes.push_back({static_cast<std::uint32_t>(std::llround(slow * kFullSpeed)), way.rail});
    }
    return lanes;
}

RailKind kind_of(std::vector<RailLane> lanes) {
    RailKind kind;
    std::uint32_t sum = 0;
    std::uint32_t odd = 0;
    for (std::uint32_t gpu = 0; gpu < lanes.size(); ++gpu) {
        kind.grade.slowest = std::max(kind.grade.slowest, lanes[gpu].slow);
        sum += lanes[gpu].slow;
        odd += lanes[gpu].rail != gpu ? 1 : 0;
        kind.even &= lanes[gpu].rail == gpu && lanes[gpu].slow == lanes.front().slow;
    }
    if (const auto gpus = static_cast<std::uint32_t>(lanes.size()); gpus > 0) {
        kind.grade.mean = (sum + gpus / 2) / gpus;
        kind.grade.odd = odd * kFullSpeed / gpus;
    }
    kind.lanes = std::move(lanes);
    return kind;
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

RailKinds rail_kinds(const Fabric& fabric, const CostWeights& weights) {
    const LinkModel links(fabric, weights);
    const double reference = 8 / (reference_gbps(fabric, weights) * 1e9);
    RailKinds rails;
    std::map<std::vector<RailLane>, std::uint32_t> known;
    const auto find = [&](NodeIndex node) {
        std::vector<RailLane> lanes = lanes_of(fabric, links, node, reference);
        const auto next = static_cast<std::uint32_t>(rails.kinds.size());
        const auto [entry, added] = known.try_emplace(std::move(lanes), next);
        if (added) {
            rails.kinds.push_back(kind_of(entry->first));
        }
        return entry->second;
    };
    std::vector<std::optional<std::uint32_t>> usual(fabric.types().size());
    for (std::uint32_t i = 0; i < fabric.nodes().size(); ++i) {
        const FabricNode& node = fabric.node(NodeIndex{i});
        if (node.exceptions.empty() && !usual[node.type]) {
            usual[node.type] = find(NodeIndex{i});
        }
        rails.of.push_back(node.exceptions.empty() ? *usual[node.type] : find(NodeIndex{i}));
    }
    return rails;
}

}  // namespace yardmaster
