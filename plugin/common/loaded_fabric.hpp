// The fabric in force with what is worked out once for it.
#pragma once

#include <memory>
#include <utility>

#include "topology/fabric.hpp"
#include "topology/placer.hpp"

namespace yardmaster {

/// A fabric with the placer built over it.
struct LoadedFabric {
    LoadedFabric(std::shared_ptr<const Fabric> in_force, const CostWeights& weights)
        : owner(std::move(in_force)), fabric(*owner), placer(fabric, weights) {}
    LoadedFabric(const LoadedFabric&) = delete;
    LoadedFabric& operator=(const LoadedFabric&) = delete;

    const std::shared_ptr<const Fabric> owner;
    const Fabric& fabric;
    const Placer placer;
};

}  // namespace yardmaster
