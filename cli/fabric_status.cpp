#include "cli/fabric_status.hpp"

#include "cli/cluster_room.hpp"

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
        console.out << room_to_json(room).dump() << '\n';
    } else {
        print_room(*fabric, room, console.unicode, console.out);
    }
    return kExitOk;
}

}  // namespace yardmaster::cli
