#include "topology/link_model.hpp"

#include <algorithm>

namespace yardmaster {
namespace {

constexpr double kBytesPerGigabyte = 1e9;
constexpr double kBytesPerGigabit = 1e9 / 8;
/// Where no link is known there may still be one, a slow one.
constexpr double kSeparate = 1e6;
/// Rails that no other GPU of the node's type has get numbers from here on, by GPU.
constexpr std::uint32_t kOddRail = 1u << 16;

/// The GPU whose rail it is in the node's type; by NIC name, for indices say nothing here.
std::uint32_t rail_number(const NodeType& type, const Rail& rail, GpuIndex gpu) {
    for (std::uint32_t i = 0; i < type.rails.size(); ++i) {
        if (type.rails[i].nic == rail.nic) {
            return i;
        }
    }
    return kOddRail + static_cast<std::uint32_t>(raw(gpu));
}

}  // namespace

LinkModel::LinkModel(const Fabric& fabric, const CostWeights& weights)
    : fabric_(fabric), weights_(weights) {
    for (const SwitchUnit& unit : fabric.units()) {
        half_extra_.push_back((unit.oversubscription - 1 + weights.tier_crossing) / 2);
    }
}

WayOut LinkModel::way_out(NodeIndex node, GpuIndex gpu) const {
    const NodeType& type = fabric_.type_of(node);
    const auto index = static_cast<std::uint32_t>(raw(gpu));
    const double fallback = 1 / (weights_.default_rail_gbps * kBytesPerGigabit);
    if (type.rails.empty() && fabric_.node(node).exceptions.empty()) {
        return {fallback, index, false};
    }
    const auto own = fabric_.rail(node, gpu);
    if (own && own->gbps > 0) {
        return {1 / (own->gbps * kBytesPerGigabit), rail_number(type, *own, gpu), false};
    }
    std::optional<WayOut> slowest;
    for (std::uint16_t i = 0; i < type.gpus; ++i) {
        const auto rail = fabric_.rail(node, GpuIndex{i});
        if (!rail || rail->gbps <= 0) {
            continue;
        }
        const double shared = 2 / (rail->gbps * kBytesPerGigabit);
        if (!slowest || shared > slowest->seconds_per_byte) {
            slowest = WayOut{shared, rail_number(type, *rail, GpuIndex{i}), true};
        }
    }
    return slowest.value_or(WayOut{fallback * kSeparate, index, true});
}

Distance LinkModel::distance(NodeIndex a, NodeIndex b) const {
    Distance away;
    if (fabric_.node(a).domain == fabric_.node(b).domain) {
        away.nvlink = true;
        return away;
    }
    std::optional<UnitIndex> left = fabric_.node(a).leaf;
    std::optional<UnitIndex> right = fabric_.node(b).leaf;
    // Parents have the lower index, so the higher of the two moves up until they meet.
    while (left && right && *left != *right) {
        auto& lower = *left > *right ? left : right;
        away.extra += half_extra_[raw(*lower)];
        lower = fabric_.unit(*lower).parent;
    }
    away.separate = !left || !right;
    return away;
}

double LinkModel::nvlink_seconds_per_byte(NodeIndex a, NodeIndex b) const {
    const double slower = std::min(fabric_.type_of(a).nvlink_gigabytes_per_s,
                                   fabric_.type_of(b).nvlink_gigabytes_per_s);
    return 1 / ((slower > 0 ? slower : weights_.pcie_gigabytes_per_s) * kBytesPerGigabyte);
}

double LinkModel::seconds_per_byte(
    NodeIndex a, GpuIndex gpu_a, NodeIndex b, GpuIndex gpu_b, const Distance& away) const {
    if (away.nvlink) {
        return nvlink_seconds_per_byte(a, b);
    }
    const WayOut from = way_out(a, gpu_a);
    const WayOut to = way_out(b, gpu_b);
    const double line = std::max(from.seconds_per_byte, to.seconds_per_byte);
    if (away.separate) {
        return line * kSeparate;
    }
    // Another rail inside the leaf group is reached through the tier above it.
    const bool same_leaf = fabric_.node(a).leaf == fabric_.node(b).leaf;
    const bool detour = same_leaf && from.rail != to.rail;
    return line * (1 + away.extra + (detour ? leaf_extra(a) + leaf_extra(b) : 0));
}

}  // namespace yardmaster
