#include "topology/rank_sheet_of.hpp"

#include <map>

namespace yardmaster {
namespace {

/// A job with more differing GPUs than this runs on a mixture whose rails no short line describes.
constexpr std::size_t kMaxDifferences = 256;

std::vector<std::string> nics_of(const Fabric& fabric, NodeIndex node) {
    std::vector<std::string> nics;
    for (std::uint16_t gpu = 0; gpu < fabric.type_of(node).gpus; ++gpu) {
        const auto rail = fabric.rail(node, GpuIndex{gpu});
        nics.push_back(rail ? rail->nic : "");
    }
    return nics;
}

/// The NICs that most nodes have.
std::vector<std::string> common_nics(const Fabric& fabric, std::span<const NodeIndex> nodes) {
    std::map<std::vector<std::string>, std::size_t> counts;
    for (const NodeIndex node : nodes) {
        ++counts[nics_of(fabric, node)];
    }
    auto most = counts.begin();
    for (auto it = counts.begin(); it != counts.end(); ++it) {
        most = it->second > most->second ? it : most;
    }
    return most->first;
}

void note_differences(const Fabric& fabric, NodeIndex node, RankSheet& sheet) {
    const auto nics = nics_of(fabric, node);
    for (std::uint32_t gpu = 0; gpu < nics.size(); ++gpu) {
        const std::string common = gpu < sheet.rails.size() ? sheet.rails[gpu] : "";
        if (nics[gpu] != common) {
            sheet.differences.push_back({fabric.node(node).name, gpu, nics[gpu]});
        }
    }
}

void add_rails(const Fabric& fabric, std::span<const NodeIndex> nodes, RankSheet& sheet) {
    sheet.rails = common_nics(fabric, nodes);
    for (const NodeIndex node : nodes) {
        note_differences(fabric, node, sheet);
        if (sheet.differences.size() > kMaxDifferences) {
            sheet.rails.clear();
            sheet.differences.clear();
            return;
        }
    }
}

}  // namespace

Result<RankSheet> rank_sheet_of(const Fabric& fabric,
                                std::span<const NodeIndex> given,
                                std::uint32_t gpus_per_node,
                                const Hints& hints,
                                const CostWeights& weights) {
    const auto plan = plan_ranks(fabric, given, gpus_per_node, hints, weights);
    return plan ? Result<RankSheet>(rank_sheet_of(fabric, *plan, gpus_per_node, hints))
                : Result<RankSheet>(plan.status());
}

RankSheet rank_sheet_of(const Fabric& fabric,
                        const RankPlan& plan,
                        std::uint32_t gpus_per_node,
                        const Hints& hints) {
    RankSheet sheet;
    sheet.order = RankOrder::kDomain;
    sheet.gpus_per_node = gpus_per_node;
    sheet.hints = hints;
    for (const NodeIndex node : plan.order) {
        sheet.nodes.push_back(fabric.node(node).name);
    }
    add_rails(fabric, plan.order, sheet);
    return sheet;
}

}  // namespace yardmaster
