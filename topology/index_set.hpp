// Which GPU indices a job takes: the same ones on each of its nodes, hence the same rails.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "topology/fabric.hpp"

namespace yardmaster {

/// GPU indices of one node, bit i for index i.
using GpuMask = std::uint64_t;

inline constexpr GpuMask kAllGpus = ~GpuMask{0};
/// Sockets of a node that are told apart.
inline constexpr std::size_t kMostSockets = 8;

/// What one node has for a job.
struct NodeGpus {
    GpuMask free = 0;            ///< GPUs that the job can have
    GpuMask on_rail = kAllGpus;  ///< GPUs that are on the rail of their index, see aligned_gpus
    GpuMask near = kAllGpus;     ///< GPUs by a socket that has free cores
    std::array<GpuMask, kMostSockets> sockets{};  ///< [socket] its GPUs; 0 where there is none

    auto operator<=>(const NodeGpus&) const = default;
};

/// How good it is to give a set of indices to a job on given nodes, most important first; smaller
/// is better. All sums are over the nodes.
struct IndexSetCost {
    std::uint64_t off_rail = 0;  ///< GPUs that are not on the rail of their index
    std::uint64_t far = 0;       ///< GPUs by a socket without free cores
    std::uint32_t misaligned =
        0;                      ///< of the set: aligned blocks of 2, 4, 8, ... touched needlessly
    std::uint64_t sockets = 0;  ///< sockets touched
    std::uint64_t broken = 0;   ///< wholly free aligned blocks, larger than the set, broken into
    GpuMask set = 0;            ///< lowest indices first

    auto operator<=>(const IndexSetCost&) const = default;
};

IndexSetCost cost_of(GpuMask set, std::span<const NodeGpus> nodes);

/// The cheapest set of `gpus` indices that are free on every node; none when there is none. Exact
/// where the common free GPUs have at most kMostSubsets sets of that size (any node of 16 GPUs);
/// beyond, the best of its aligned blocks, its windows and its lowest indices.
std::optional<GpuMask> best_common_set(std::span<const NodeGpus> nodes, std::uint32_t gpus);
inline constexpr std::uint64_t kMostSubsets = 13000;  // 16 over 8 is 12870

/// Positions in `free` of nodes on which one same set of `gpus` indices out of `within` is free:
/// one list for each such set that no other set's nodes contain, the longest lists first, none
/// shorter than `least`, at most `most` lists. Exact in the same bounds as best_common_set.
std::vector<std::vector<std::uint32_t>> nodes_sharing_a_set(std::span<const GpuMask> free,
                                                            GpuMask within,
                                                            std::uint32_t gpus,
                                                            std::size_t least,
                                                            std::size_t most);

/// GPUs of `node` that are on the rail of their index. A rail is an index of the node's type, known
/// by the name of its NIC: a GPU is on it when its own NIC bears that name. So a GPU with another
/// NIC (a swapped cable) or none (missing) is not, whatever its index says. All are where the
/// type lists no rails: then the index is all there is to go by.
GpuMask aligned_gpus(const Fabric& fabric, NodeIndex node);

/// Indices 0 to gpus - 1; all there are when `gpus` is larger than a mask.
GpuMask lowest_gpus(std::uint32_t gpus);

}  // namespace yardmaster
