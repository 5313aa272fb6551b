// Strong index types. Each counts from 0 within one Fabric and means nothing outside it.
#pragma once

#include <cstddef>
#include <cstdint>

namespace yardmaster {

/// A node's place in Fabric::nodes(), in the order of the fabric file. Not Slurm's node-table
/// index.
enum class NodeIndex : std::uint32_t {};
/// A GPU's gres index on its node: the N of /dev/nvidiaN as gres.conf lists it.
enum class GpuIndex : std::uint16_t {};
/// An NVLink domain's place in Fabric::domains().
enum class DomainIndex : std::uint32_t {};
/// A switch unit's place in Fabric::units(): leaf groups, pods, cores.
enum class UnitIndex : std::uint32_t {};

template <typename Index>
constexpr std::size_t raw(Index index) {
    return static_cast<std::size_t>(index);
}

}  // namespace yardmaster
