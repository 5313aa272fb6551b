// How much room is left in a cluster: whole free domains and the largest jobs that could start.
#pragma once

#include <cstdint>
#include <vector>

#include "topology/fabric.hpp"
#include "topology/placer.hpp"

namespace yardmaster {

struct FreeUnits {
    std::uint32_t whole = 0;  ///< every node usable and no job on any
    std::uint32_t all = 0;
};
/// NVLink domains of several nodes that are wholly free.
FreeUnits free_domains(const Fabric& fabric, const std::vector<NodeOffer>& offers);
/// Leaf groups that are wholly free.
FreeUnits free_leaf_groups(const Fabric& fabric, const std::vector<NodeOffer>& offers);

/// The most nodes that one job of `gpus_per_node` GPUs with a hint of `tp` could have now, in whole
/// TP groups and inside one fabric; 0: none. Offers are those of a job that asks for
/// `gpus_per_node`.
std::uint32_t largest_placeable(const Fabric& fabric,
                                const std::vector<NodeOffer>& offers,
                                std::uint32_t gpus_per_node,
                                std::uint32_t tp);

}  // namespace yardmaster
