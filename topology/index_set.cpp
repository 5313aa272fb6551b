#include "topology/index_set.hpp"

#include <algorithm>
#include <bit>
#include <map>

namespace yardmaster {
namespace {

constexpr std::uint32_t kMaskBits = 64;

std::uint32_t count(GpuMask mask) {
    return static_cast<std::uint32_t>(std::popcount(mask));
}

/// The lowest `gpus` set bits of `mask`, which has as many.
GpuMask lowest_of(GpuMask mask, std::uint32_t gpus) {
    GpuMask result = 0;
    for (std::uint32_t i = 0; i < gpus; ++i) {
        result |= mask & -mask;
        mask &= mask - 1;
    }
    return result;
}

/// n over k, or anything above kMostSubsets when it is more than that.
std::uint64_t subsets(std::uint32_t n, std::uint32_t k) {
    std::uint64_t result = 1;
    for (std::uint32_t i = 1; i <= std::min(k, n - k); ++i) {
        result = result * (n - std::min(k, n - k) + i) / i;
        if (result > kMostSubsets) {
            return result;
        }
    }
    return result;
}

/// The bits of `compact` put at the places of the set bits of `mask`, lowest first.
GpuMask deposit(GpuMask compact, GpuMask mask) {
    GpuMask result = 0;
    for (; compact != 0 && mask != 0; compact >>= 1, mask &= mask - 1) {
        if ((compact & 1) != 0) {
            result |= mask & -mask;
        }
    }
    return result;
}

/// Calls `visit` with every set of `gpus` bits of `mask`, ascending.
template <typename Visit>
void each_subset(GpuMask mask, std::uint32_t gpus, Visit visit) {
    const GpuMask end = lowest_gpus(gpus) << (count(mask) - gpus);
    for (GpuMask set = lowest_gpus(gpus);;
         set = ((((set ^ (set + (set & -set))) >> 2) / (set & -set)) | (set + (set & -set)))) {
        visit(deposit(set, mask));
        if (set == end) {
            return;
        }
    }
}

/// Calls `visit` with the windows of `gpus` neighbouring indices inside `mask`, and its lowest.
template <typename Visit>
void each_window(GpuMask mask, std::uint32_t gpus, Visit visit) {
    for (std::uint32_t first = 0; first + gpus <= kMaskBits; ++first) {
        const GpuMask window = lowest_gpus(gpus) << first;
        if ((window & ~mask) == 0) {
            visit(window);
        }
    }
    visit(lowest_of(mask, gpus));
}

template <typename Visit>
void each_set(GpuMask mask, std::uint32_t gpus, Visit visit) {
    if (gpus == 0 || count(mask) < gpus) {
        return;
    }
    if (subsets(count(mask), gpus) <= kMostSubsets) {
        each_subset(mask, gpus, visit);
    } else {
        each_window(mask, gpus, visit);
    }
}

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

/// Distinct masks with the positions of their nodes, and which of them a set is free on.
struct Groups {
    std::vector<GpuMask> masks;
    std::vector<std::vector<std::uint32_t>> members;

    explicit Groups(std::span<const GpuMask> free) {
        std::map<GpuMask, std::vector<std::uint32_t>> found;
        for (std::size_t i = 0; i < free.size(); ++i) {
            found[free[i]].push_back(static_cast<std::uint32_t>(i));
        }
        for (auto& [mask, nodes] : found) {
            masks.push_back(mask);
            members.push_back(std::move(nodes));
        }
    }
};

/// The groups that have one set in common, as a bitmap over Groups.
struct Family {
    std::vector<std::uint64_t> groups;
    std::size_t nodes = 0;

    Family(const Groups& all, GpuMask set) : groups((all.masks.size() + 63) / 64) {
        for (std::size_t g = 0; g < all.masks.size(); ++g) {
            if ((set & ~all.masks[g]) == 0) {
                groups[g / 64] |= std::uint64_t{1} << (g % 64);
                nodes += all.members[g].size();
            }
        }
    }
    bool contains(const Family& other) const {
        for (std::size_t i = 0; i < groups.size(); ++i) {
            if ((other.groups[i] & ~groups[i]) != 0) {
                return false;
            }
        }
        return true;
    }
    std::vector<std::uint32_t> positions(const Groups& all) const {
        std::vector<std::uint32_t> result;
        for (std::size_t g = 0; g < all.masks.size(); ++g) {
            if ((groups[g / 64] >> (g % 64) & 1) != 0) {
                result.insert(result.end(), all.members[g].begin(), all.members[g].end());
            }
        }
        std::sort(result.begin(), result.end());
        return result;
    }
};

/// Sets worth trying: all that any node could give, or those of each mask where that is too many.
template <typename Visit>
void each_offered_set(const Groups& groups, GpuMask within, std::uint32_t gpus, Visit visit) {
    GpuMask all = 0;
    for (const GpuMask mask : groups.masks) {
        all |= mask & within;
    }
    if (count(all) >= gpus && subsets(count(all), gpus) <= kMostSubsets) {
        each_set(all, gpus, visit);
        return;
    }
    for (const GpuMask mask : groups.masks) {
        each_window(mask & within, count(mask & within) >= gpus ? gpus : 0, visit);
    }
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

std::vector<std::vector<std::uint32_t>> nodes_sharing_a_set(std::span<const GpuMask> free,
                                                            GpuMask within,
                                                            std::uint32_t gpus,
                                                            std::size_t least,
                                                            std::size_t most) {
    const Groups groups(free);
    std::map<std::vector<std::uint64_t>, Family> found;
    each_offered_set(groups, within, gpus, [&](GpuMask set) {
        Family family(groups, set);
        if (set != 0 && family.nodes >= std::max<std::size_t>(least, 1)) {
            found.try_emplace(family.groups, std::move(family));
        }
    });
    std::vector<Family> ordered;
    for (auto& [unused, family] : found) {
        ordered.push_back(std::move(family));
    }
    std::stable_sort(ordered.begin(), ordered.end(), [](const Family& a, const Family& b) {
        return a.nodes > b.nodes;
    });
    std::vector<Family> largest;
    for (const Family& family : ordered) {
        const bool covered = std::any_of(largest.begin(), largest.end(), [&](const Family& other) {
            return other.contains(family);
        });
        if (!covered && largest.size() < most) {
            largest.push_back(family);
        }
    }
    std::vector<std::vector<std::uint32_t>> result;
    for (const Family& family : largest) {
        result.push_back(family.positions(groups));
    }
    return result;
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

std::string index_list(GpuMask set) {
    std::string text;
    for (std::uint32_t first = 0; first < kMaskBits; ++first) {
        if ((set >> first & 1) == 0) {
            continue;
        }
        std::uint32_t last = first;
        while (last + 1 < kMaskBits && (set >> (last + 1) & 1) != 0) {
            ++last;
        }
        text += (text.empty() ? "" : ",") + std::to_string(first);
        text += last > first ? "-" + std::to_string(last) : "";
        first = last;
    }
    return text;
}

}  // namespace yardmaster
