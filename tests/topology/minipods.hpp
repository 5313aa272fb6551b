// The three settings of Arnold's simulation ("Efficient Pre-training of LLMs via Topology-Aware
// Communication Alignment on More Than 9600 GPUs", arXiv 2509.15940): minipods of 8-GPU servers,
// partly busy, and one job with data, tensor and pipeline parallelism.
#pragma once

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "tests/topology/fabric_maker.hpp"
#include "topology/placer.hpp"
#include "topology/rank_plan.hpp"

namespace yardmaster::testing_support {

struct MinipodSetting {
    const char* name;
    std::uint32_t minipods, nodes;
    std::uint32_t dp, tp, pp;

    std::uint32_t job_nodes() const { return dp * tp * pp / 8; }
    Hints hints() const {
        Hints hints;
        hints.tp = tp;
        hints.pp = pp;
        hints.dp = dp;
        return hints;
    }
};
inline constexpr MinipodSetting kMinipodSettings[] = {
    {"3 minipods, 18 nodes", 3, 18, 12, 4, 2},
    {"5 minipods, 438 nodes", 5, 438, 24, 4, 8},
    {"11 minipods, 1019 nodes", 11, 1019, 46, 8, 8},
};

inline Fabric make_minipods(const MinipodSetting& setting) {
    FabricMaker maker(8, true);
    const UnitIndex core = maker.unit();
    for (std::uint32_t pod = 0; pod < setting.minipods; ++pod) {
        const std::uint32_t first = pod * setting.nodes / setting.minipods;
        maker.leaf(core, (pod + 1) * setting.nodes / setting.minipods - first);
    }
    return maker.make();
}

/// Up to what the job leaves over is busy, more in some minipods than in others.
inline PlacementRequest busy_minipods(const MinipodSetting& setting,
                                      const Fabric& fabric,
                                      unsigned seed) {
    std::mt19937 random(seed);
    PlacementRequest request;
    request.nodes = setting.job_nodes();
    request.gpus_per_node = 8;
    request.hints = setting.hints();
    NodeOffer free;
    free.usable = true;
    request.offers.assign(fabric.nodes().size(), free);
    std::vector<std::uint32_t> tickets(setting.minipods);
    for (std::uint32_t& ticket : tickets) {
        ticket = 1 + static_cast<std::uint32_t>(random() % 8);
    }
    const std::uint32_t spare = setting.nodes - setting.job_nodes();
    std::uint32_t busy = static_cast<std::uint32_t>(random() % (spare + 1));
    for (std::uint32_t tries = 0; busy > 0 && tries < 1000000; ++tries) {
        NodeOffer& offer = request.offers[random() % setting.nodes];
        const auto node = static_cast<std::uint32_t>(&offer - request.offers.data());
        const auto leaf = raw(*fabric.node(NodeIndex{node}).leaf) - 1;  // unit 0 is the core
        if (offer.usable && random() % 8 < tickets[leaf]) {
            offer.usable = false;
            --busy;
        }
    }
    return request;
}

/// Best fit: the minipod with the fewest free nodes of those that hold what is missing, or else the
/// one with the most, whole; nodes in node order.
inline std::vector<NodeIndex> best_fit(const Fabric& fabric, const PlacementRequest& request) {
    std::vector<std::vector<NodeIndex>> pods;
    for (const SwitchUnit& unit : fabric.units()) {
        pods.emplace_back();
        for (NodeIndex node : unit.nodes) {
            if (request.offers[raw(node)].usable) {
                pods.back().push_back(node);
            }
        }
    }
    std::vector<NodeIndex> chosen;
    while (chosen.size() < request.nodes) {
        const std::size_t missing = request.nodes - chosen.size();
        const auto better = [&](const auto& a, const auto& b) {
            const bool holds_a = a.size() >= missing;
            const bool holds_b = b.size() >= missing;
            return holds_a != holds_b ? holds_a
                   : holds_a          ? a.size() < b.size()
                                      : a.size() > b.size();
        };
        auto best = std::min_element(pods.begin(), pods.end(), better);
        const std::size_t taken = std::min(missing, best->size());
        chosen.insert(
            chosen.end(), best->begin(), best->begin() + static_cast<std::ptrdiff_t>(taken));
        best->clear();
    }
    std::sort(chosen.begin(), chosen.end());
    return chosen;
}

/// Minipods that the worst group touches.
struct MaxSpread {
    std::uint32_t dp = 0, pp = 0;
    double seconds = 0;   ///< predicted, one step
    double weighted = 0;  ///< by the bytes that a GPU sends for each kind
};
inline MaxSpread max_spread(const Fabric& fabric,
                            const MinipodSetting& setting,
                            const std::vector<NodeIndex>& ranked) {
    const JobShape shape{setting.job_nodes(), 8};
    const Parallelism sizes = *derive_parallelism(setting.hints(), shape);
    MaxSpread spread;
    spread.dp = spread_of(fabric, ranked, 8, sizes, GroupKind::kDp).front().most;
    spread.pp = spread_of(fabric, ranked, 8, sizes, GroupKind::kPp).front().most;
    spread.seconds = predict(fabric, ranked, 8, sizes, {}).seconds();
    const GroupBytes bytes = bytes_per_step({}, sizes);
    const double dp = 2 * bytes[static_cast<std::size_t>(GroupKind::kGradient)];
    const double pp = bytes[static_cast<std::size_t>(GroupKind::kPp)];
    spread.weighted = (dp * spread.dp + pp * spread.pp) / (dp + pp);
    return spread;
}

struct MinipodResult {
    MaxSpread ours, best_fit;
};
inline MinipodResult place_in_minipods(const MinipodSetting& setting,
                                       const Fabric& fabric,
                                       const Placer& placer,
                                       unsigned seed) {
    const PlacementRequest request = busy_minipods(setting, fabric, seed);
    const auto found = placer.propose(request, {1});
    const auto plan = plan_ranks(fabric, found->front().nodes, 8, request.hints);
    return {max_spread(fabric, setting, plan->order),
            max_spread(fabric, setting, best_fit(fabric, request))};
}

}  // namespace yardmaster::testing_support
