// What a job's groups send in one training step, over which links, and how long that takes.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "topology/cost_weights.hpp"
#include "topology/fabric.hpp"
#include "topology/parallel.hpp"

namespace yardmaster {

/// Bytes that one GPU sends for a kind in one step, before the factor of its algorithm. [GroupKind]
using GroupBytes = std::array<double, kGroupKinds.size()>;
/// tp: 4 all-reduces a layer (Megatron-LM, arXiv 1909.08053). cp: keys and values gathered forward
/// and backward, their gradients reduced. ep: tokens sent to experts and back, forward and
/// backward. pp: activations forward, gradients backward. gradient: all-reduce of the GPU's
/// parameters. dp is part of gradient and 0 here.
GroupBytes bytes_per_step(const CostWeights& weights, const Parallelism& sizes);

/// Time that one kind of group takes in one step.
struct KindTime {
    double slowest_seconds = 0;  ///< of the group with the slowest edge: what the step waits for
    double mean_seconds = 0;     ///< over all edges: how busy links are
};

/// Time in one step, by kind; kinds with groups of one GPU take none.
struct CommTime {
    std::array<KindTime, kGroupKinds.size()> kinds;  ///< [GroupKind]

    const KindTime& operator[](GroupKind kind) const {
        return kinds[static_cast<std::size_t>(kind)];
    }
    /// What a step waits for when nothing overlaps: the slowest group of every kind, added up.
    double seconds() const;
    /// What the placer minimises: half the slowest groups' time and half the mean. The step waits
    /// for the slowest; the mean says how much traffic others, and chance, can slow.
    double cost() const;
};

/// Predicts a job's communication on `ranked`: its nodes in rank order, every one with
/// `gpus_per_node` GPUs from index 0 on. sizes.ranks() is nodes x gpus_per_node.
///
/// Rings (tp, cp, gradient) run through a group's ranks in order and close; a ring moves 2(n-1)/n
/// of its bytes over each edge ((n-1)/n for cp, which gathers), and where it has several ranks on a
/// node they share the way out. All-to-all (ep): (n-1)/n of the bytes, one n-th to each peer. pp:
/// from every stage to the next.
///
/// An edge inside an NVLink domain runs at NVLink bandwidth. Any other runs at the slower of its
/// two rails (a GPU without NIC shares its node's slowest one with another GPU) and takes, beside
/// its time at line rate, (oversubscription - 1 + tier_crossing) / 2 more for every switch unit
/// that it leaves or enters. Two GPUs whose rails are not the same (a miscabled NIC) leave and
/// enter the leaf group even inside one. Between separate fabrics no link is known: a millionth of
/// the line rate.
CommTime predict(const Fabric& fabric,
                 std::span<const NodeIndex> ranked,
                 std::uint32_t gpus_per_node,
                 const Parallelism& sizes,
                 const CostWeights& weights);

/// Units that groups of a kind touch at one switch tier (Arnold's spread): 1 is the least.
struct Spread {
    std::uint32_t most = 0;  ///< of the worst group
    double mean = 0;         ///< over all groups of the kind
};
/// [tier], leaf groups first; a node under no switch is a unit of its own.
std::vector<Spread> spread_of(const Fabric& fabric,
                              std::span<const NodeIndex> ranked,
                              std::uint32_t gpus_per_node,
                              const Parallelism& sizes,
                              GroupKind kind);

}  // namespace yardmaster
