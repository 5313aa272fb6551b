#include <utility>

#include "cli/cluster_room.hpp"
#include "cli/picture_text.hpp"
#include "cli/table.hpp"
#include "cli/words.hpp"

namespace yardmaster::cli {
namespace {

void print_nodes(const StateCounts& nodes, std::ostream& out) {
    out << count_of(nodes.all(), "node") << ": " << nodes.free << " free, " << nodes.part_used
        << " part-used, " << nodes.busy << " busy, " << nodes.drained << " drained, " << nodes.down
        << " down";
    if (nodes.missing > 0) {
        out << ", " << nodes.missing << " not in Slurm";
    }
    out << "\n\n";
}

void print_units(const std::vector<UnitRoom>& units, std::ostream& out) {
    Table table(
        {"units", "all", "wholly free", "without a free node", "free nodes in broken ones"});
    for (const UnitRoom& room : units) {
        table.add({room.kind + "s",
                   std::to_string(room.all),
                   std::to_string(room.whole),
                   std::to_string(room.without_free),
                   std::to_string(room.stranded)});
    }
    if (!table.empty()) {
        out << '\n';
        table.print(out);
    }
}

void print_largest(const std::vector<LargestJob>& largest, std::ostream& out) {
    Table table({"largest job now", "GPUs on a node", "nodes", "GPUs"});
    for (const LargestJob& job : largest) {
        table.add({job.hints.empty() ? "no hints" : job.hints,
                   std::to_string(job.gpus_per_node),
                   job.nodes > 0 ? std::to_string(job.nodes) : "none",
                   std::to_string(job.nodes * job.gpus_per_node)});
    }
    out << '\n';
    table.print(out);
}

JsonValue nodes_to_json(const StateCounts& nodes) {
    JsonValue json = JsonValue::object();
    json.set("all", nodes.all())
        .set("free", nodes.free)
        .set("part_used", nodes.part_used)
        .set("busy", nodes.busy)
        .set("drained", nodes.drained)
        .set("down", nodes.down)
        .set("missing", nodes.missing);
    return json;
}

}  // namespace

void print_room(const Fabric& fabric, const ClusterRoom& room, bool unicode, std::ostream& out) {
    print_nodes(room.nodes, out);
    draw_text(make_picture(fabric, room.states), {unicode}, out);
    print_units(room.units, out);
    print_largest(room.largest, out);
    out << "\nFragmentation: " << fragmentation_text(room) << ".\n";
}

JsonValue room_to_json(const ClusterRoom& room) {
    JsonValue units = JsonValue::array();
    for (const UnitRoom& unit : room.units) {
        JsonValue entry = JsonValue::object();
        entry.set("kind", unit.kind)
            .set("all", unit.all)
            .set("wholly_free", unit.whole)
            .set("without_free_node", unit.without_free)
            .set("free_nodes_in_broken", unit.stranded);
        units.append(std::move(entry));
    }
    JsonValue largest = JsonValue::array();
    for (const LargestJob& job : room.largest) {
        JsonValue entry = JsonValue::object();
        entry.set("hints", job.hints)
            .set("gpus_per_node", job.gpus_per_node)
            .set("nodes", job.nodes);
        largest.append(std::move(entry));
    }
    JsonValue json = JsonValue::object();
    json.set("nodes", nodes_to_json(room.nodes))
        .set("units", std::move(units))
        .set("largest_jobs", std::move(largest))
        .set("fragmentation", fragmentation_text(room));
    return json;
}

}  // namespace yardmaster::cli
