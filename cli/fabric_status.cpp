#include "cli/fabric_status.hpp"

#include "cli/cluster_room.hpp"
#include "cli/soft_nodes.hpp"

namespace yardmaster::cli {

ExitCode run_fabric_status(const FabricStatusOptions& options,
                           SlurmClient& slurm,
                           const Console& console) {
    const auto fabric =
        Fabric::load(options.fabric_file.empty() ? default_fabric_file() : options.fabric_file);
    if (!fabric) {
        return fail(console, fabric.status());
    }
    const auto cluster = slurm.nodes();
    if (!cluster) {
        return fail(console, cluster.status());
    }
    const ClusterRoom room = measure_room(*fabric, *cluster);
    if (options.json) {
        JsonValue json = room_to_json(room);
        json.set("soft_degraded", soft_degraded_to_json(*cluster));
        console.out << json.dump() << '\n';
    } else {
        print_room(*fabric, room, console.unicode, console.out);
        print_soft_degraded(*cluster, console.out);
    }
    return kExitOk;
}

}  // namespace yardmaster::cli
