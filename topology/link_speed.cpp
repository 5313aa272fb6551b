#include "topology/link_speed.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "topology/link_model.hpp"

namespace yardmaster {
namespace {

/// Slower than that makes no difference: nobody wants the node.
constexpr double kSlowest = 1000;

RailGrade grade_of(const Fabric& fabric,
                   const LinkModel& links,
                   NodeIndex node,
                   double reference_seconds) {
    const std::uint16_t gpus = fabric.type_of(node).gpus;
    double slowest = 1;
    double sum = 0;
    std::uint32_t odd = 0;
    for (std::uint16_t gpu = 0; gpu < gpus; ++gpu) {
        const WayOut way = links.way_out(node, GpuIndex{gpu});
        const double slow = std::clamp(way.seconds_per_byte / reference_seconds, 1.0, kSlowest);
        slowest = std::max(slowest, slow);
        sum += slow;
        odd += way.rail != gpu ? 1 : 0;
    }
    RailGrade grade;
    if (gpus > 0) {
        grade.slowest = static_cast<std::uint32_t>(std::llround(slowest * kFullSpeed));
        grade.mean = static_cast<std::uint32_t>(std::llround(sum / gpus * kFullSpeed));
        grade.odd = odd * kFullSpeed / gpus;
    }
    return grade;
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

std::vector<RailGrade> rail_grades(const Fabric& fabric, const CostWeights& weights) {
    const LinkModel links(fabric, weights);
    const double reference = 8 / (reference_gbps(fabric, weights) * 1e9);
    std::vector<std::optional<RailGrade>> of_type(fabric.types().size());
    std::vector<RailGrade> grades;
    for (std::uint32_t i = 0; i < fabric.nodes().size(); ++i) {
        const FabricNode& node = fabric.node(NodeIndex{i});
        if (!node.exceptions.empty()) {
            grades.push_back(grade_of(fabric, links, NodeIndex{i}, reference));
            continue;
        }
        std::optional<RailGrade>& usual = of_type[node.type];
        if (!usual) {
            usual = grade_of(fabric, links, NodeIndex{i}, reference);
        }
        grades.push_back(*usual);
    }
    return grades;
}

}  // namespace yardmaster
