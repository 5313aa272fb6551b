// The room in a cluster, counted: nodes by state, units that are wholly free, the largest jobs.
#pragma once

#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include "base/json_value.hpp"
#include "cli/picture.hpp"
#include "cli/slurm_client.hpp"
#include "topology/fabric.hpp"

namespace yardmaster::cli {

struct StateCounts {
    std::uint32_t free = 0;
    std::uint32_t part_used = 0;
    std::uint32_t busy = 0;
    std::uint32_t drained = 0;
    std::uint32_t down = 0;     ///< down, failing, not answering
    std::uint32_t missing = 0;  ///< in the fabric file, not in Slurm

    std::uint32_t all() const { return free + part_used + busy + drained + down + missing; }
};

/// Units of one kind: NVLink domains of several nodes, leaf groups, pods, ...
struct UnitRoom {
    std::string kind;
    std::uint32_t all = 0;
    std::uint32_t whole = 0;         ///< every node of it free
    std::uint32_t without_free = 0;  ///< no node of it free
    std::uint32_t stranded = 0;      ///< free nodes in units that are not wholly free
};

/// The largest job of whole nodes that could start now, inside one fabric.
struct LargestJob {
    std::string hints;  ///< "tp16"; "": none
    std::uint32_t gpus_per_node = 0;
    std::uint32_t nodes = 0;  ///< 0: none
};

struct ClusterRoom {
    StateCounts nodes;
    std::vector<UnitRoom> units;      ///< domains first, then by tier
    std::vector<LargestJob> largest;  ///< by GPUs per node, then by tp
    std::vector<CellState> states;    ///< [NodeIndex]
};

ClusterRoom measure_room(const Fabric& fabric, const std::vector<SlurmNode>& cluster);

/// One sentence on how broken up the free nodes are.
std::string fragmentation_text(const ClusterRoom& room);
void print_room(const Fabric& fabric, const ClusterRoom& room, bool unicode, std::ostream& out);
JsonValue room_to_json(const ClusterRoom& room);

}  // namespace yardmaster::cli
