// nodes_sharing_a_set: which nodes have a set of free GPU indices in common.
#include <algorithm>
#include <map>
#include <utility>

#include "topology/gpu_subsets.hpp"
#include "topology/index_set.hpp"

namespace yardmaster {
namespace {

using gpu_subsets::count;
using gpu_subsets::each_set;
using gpu_subsets::each_window;
using gpu_subsets::subsets;

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

}  // namespace yardmaster
