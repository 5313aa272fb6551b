#include "cli/cluster_room.hpp"

#include <algorithm>
#include <set>

#include "cli/live_nodes.hpp"
#include "cli/words.hpp"
#include "topology/headroom.hpp"

namespace yardmaster::cli {
namespace {

StateCounts count_nodes(const Fabric& fabric, const std::vector<SlurmNode>& cluster) {
    StateCounts counts;
    for (const SlurmNode* node : live_records(fabric, cluster)) {
        if (node == nullptr) {
            ++counts.missing;
            continue;
        }
        switch (cell_state(*node)) {
            case CellState::kOut:
                ++(node->drained ? counts.drained : counts.down);
                break;
            case CellState::kBusy:
                ++counts.busy;
                break;
            case CellState::kPartUsed:
                ++counts.part_used;
                break;
            default:
                ++counts.free;
        }
    }
    return counts;
}

void add_unit(const std::vector<NodeIndex>& nodes,
              const std::vector<CellState>& states,
              UnitRoom& room) {
    const auto free = static_cast<std::uint32_t>(
        std::count_if(nodes.begin(), nodes.end(), [&states](NodeIndex node) {
            return states[raw(node)] == CellState::kFree;
        }));
    ++room.all;
    room.whole += free == nodes.size() ? 1 : 0;
    room.without_free += free == 0 ? 1 : 0;
    room.stranded += free < nodes.size() ? free : 0;
}

void collect_nodes(const Fabric& fabric, UnitIndex unit, std::vector<NodeIndex>& nodes) {
    const SwitchUnit& source = fabric.unit(unit);
    nodes.insert(nodes.end(), source.nodes.begin(), source.nodes.end());
    for (UnitIndex child : source.children) {
        collect_nodes(fabric, child, nodes);
    }
}

std::vector<UnitRoom> count_units(const Fabric& fabric, const std::vector<CellState>& states) {
    UnitRoom domains{"NVLink domain", 0, 0, 0, 0};
    for (const NvlinkDomain& domain : fabric.domains()) {
        if (domain.nodes.size() > 1) {
            add_unit(domain.nodes, states, domains);
        }
    }
    std::vector<UnitRoom> rooms;
    for (std::size_t i = 0; i < fabric.units().size(); ++i) {
        const std::uint32_t tier = fabric.units()[i].tier;
        while (rooms.size() <= tier) {
            rooms.push_back({tier_name(static_cast<std::uint32_t>(rooms.size())), 0, 0, 0, 0});
        }
        std::vector<NodeIndex> nodes;
        collect_nodes(fabric, UnitIndex(i), nodes);
        add_unit(nodes, states, rooms[tier]);
    }
    if (domains.all > 0) {
        rooms.insert(rooms.begin(), domains);
    }
    return rooms;
}

/// Without hints, then tp of a whole node and its doubles up to the largest domain.
void add_largest(const Fabric& fabric,
                 const std::vector<SlurmNode>& cluster,
                 std::uint32_t gpus,
                 std::vector<LargestJob>& largest) {
    const auto offers = live_offers(fabric, cluster, gpus);
    largest.push_back({"", gpus, largest_placeable(fabric, offers, gpus, 1)});
    for (std::uint32_t tp = gpus; gpus > 0 && tp <= fabric.largest_domain_gpus(); tp *= 2) {
        largest.push_back(
            {"tp" + std::to_string(tp), gpus, largest_placeable(fabric, offers, gpus, tp)});
    }
}

}  // namespace

ClusterRoom measure_room(const Fabric& fabric, const std::vector<SlurmNode>& cluster) {
    ClusterRoom room;
    room.nodes = count_nodes(fabric, cluster);
    room.states = live_states(fabric, cluster, CellState::kOut);
    room.units = count_units(fabric, room.states);
    std::set<std::uint32_t> gpus;
    for (const FabricNode& node : fabric.nodes()) {
        gpus.insert(fabric.types()[node.type].gpus);
    }
    if (gpus.size() > 1) {
        gpus.erase(0);
    }
    for (std::uint32_t count : gpus) {
        add_largest(fabric, cluster, count, room.largest);
    }
    return room;
}

std::string fragmentation_text(const ClusterRoom& room) {
    if (room.nodes.free == 0) {
        return "no node is wholly free";
    }
    std::string text = count_of(room.nodes.free, "free node");
    for (const UnitRoom& units : room.units) {
        const bool lowest = units.kind == "NVLink domain" || units.kind == tier_name(0);
        if (lowest) {
            text +=
                ", " + std::to_string(units.stranded) + " of them in broken " + units.kind + "s";
        }
    }
    if (!room.largest.empty() && !room.largest.back().hints.empty()) {
        const LargestJob& last = room.largest.back();
        text += "; the largest " + last.hints + " job could have " + std::to_string(last.nodes);
    }
    return text;
}

}  // namespace yardmaster::cli
