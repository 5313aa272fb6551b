#include "tests/sim/gpu_commands.hpp"

#include <algorithm>

#include "healthcheck/nvlink/nvlink_field.hpp"

namespace yardmaster::sim {

const char* const kGpuUsage =
    "  gpu-lost DIR MINOR                \"GPU is lost\"\n"
    "  gpu-missing DIR MINOR             not listed any more\n"
    "  ecc DIR MINOR COUNT               uncorrected volatile errors\n"
    "  remap DIR MINOR pending|failed\n"
    "  recovery DIR MINOR ACTION         1 reset, 2 reboot, 3 drain P2P, 4 drain P2P and reset\n"
    "  clocks DIR MINOR REASONS          bits: 1 idle, 8 slowdown, 64 heat, 128 power brake\n"
    "  pcie-replays DIR MINOR COUNT\n"
    "  processes DIR MINOR COUNT         that compute on it, as of other jobs' shards\n"
    "  mig DIR MINOR                     MIG mode on\n"
    "  nvlink-down DIR MINOR LINK|all\n"
    "  nvlink-field DIR MINOR LINK FIELD VALUE  e.g. ... 7 crc 12, 7 symbol_ber 0x109 (1e-9)\n"
    "  no-path DIR MINOR                 NVLink leads to no other GPU, though all links are up\n"
    "  fabric-state DIR MINOR STATE      0 not supported, 1 not started, 2 in progress, 3 "
    "completed\n"
    "  fabric-status DIR MINOR CODE      completed with this nvmlReturn_t\n"
    "  fabric-health DIR MINOR MASK      e.g. 0x1a9: degraded bandwidth\n"
    "  fabric-summary DIR MINOR SUMMARY  2 unhealthy, 3 limited capacity\n"
    "  fabric-clique DIR MINOR CLIQUE\n"
    "  fabric-cluster DIR MINOR UUID|none\n";

namespace {

constexpr const char* kNoCluster = "00000000-0000-0000-0000-000000000000";

Status nvlink_down(const SimNode& node, unsigned minor, const std::string& link) {
    if (link == "all") {
        return node.change_gpu(minor, [](SimGpu& gpu) {
            gpu.links_down.clear();
            for (unsigned i = 0; i < gpu.links; ++i) {
                gpu.links_down.push_back(i);
            }
        });
    }
    return with_number(link, [&](unsigned n) {
        return node.change_gpu(minor, [&](SimGpu& gpu) { gpu.links_down.push_back(n); });
    });
}

Status remap(const SimNode& node, unsigned minor, const std::string& what) {
    if (what != "pending" && what != "failed") {
        return bad("remap takes pending or failed");
    }
    return node.change_gpu(minor, [&](SimGpu& gpu) {
        (what == "pending" ? gpu.remap_pending : gpu.remap_failed) = true;
    });
}

Status no_path(const SimNode& node, unsigned minor) {
    return node.change_scenario([&](Scenario& scenario) {
        for (SimGpu& gpu : scenario.gpus) {
            for (unsigned index = 0; gpu.minor == minor && index < scenario.gpus.size(); ++index) {
                gpu.no_path.push_back(index);
            }
        }
        return Status::ok();
    });
}

Status nvlink_field(const SimNode& node, unsigned minor, const Arguments& a) {
    const auto& fields = nvlink_fields();
    const auto field = std::find_if(
        fields.begin(), fields.end(), [&](const NvlinkField& f) { return f.name == a[2]; });
    if (field == fields.end()) {
        return bad("no NVLink field " + a[2]);
    }
    return with_number(a[1], [&](unsigned link) {
        return with_number(a[3], [&](unsigned value) {
            return node.change_gpu(minor, [&](SimGpu& gpu) {
                gpu.link_fields.push_back({field->id, link, value});
            });
        });
    });
}

/// A command about one GPU: its first argument is the minor.
Command gpu_command(std::size_t arguments,
                    std::function<Status(const SimNode&, unsigned, const Arguments&)> run) {
    return {arguments, [run](const SimNode& node, const Arguments& a) {
                return with_number(a[0], [&](unsigned minor) { return run(node, minor, a); });
            }};
}

/// A command that does `change(gpu)`.
template <typename Change>
Command change_command(Change change) {
    return gpu_command(
        1, [change](auto& node, unsigned minor, auto&) { return node.change_gpu(minor, change); });
}

/// A command that does `change(gpu, number)`.
template <typename Change>
Command number_command(Change change) {
    return gpu_command(2, [change](auto& node, unsigned minor, auto& a) {
        return with_number(a[1], [&](unsigned number) {
            return node.change_gpu(minor, [&](SimGpu& gpu) { change(gpu, number); });
        });
    });
}

std::map<std::string, Command> link_commands() {
    return {
        {"nvlink-down",
         gpu_command(
             2,
             [](auto& node, unsigned minor, auto& a) { return nvlink_down(node, minor, a[1]); })},
        {"nvlink-field", gpu_command(4, nvlink_field)},
        {"no-path",
         gpu_command(1, [](auto& node, unsigned minor, auto&) { return no_path(node, minor); })},
        {"fabric-state", number_command([](SimGpu& gpu, unsigned n) { gpu.fabric.state = n; })},
        {"fabric-status",
         number_command([](SimGpu& gpu, unsigned n) { gpu.fabric.status = static_cast<int>(n); })},
        {"fabric-health", number_command([](SimGpu& gpu, unsigned n) { gpu.fabric.health = n; })},
        {"fabric-summary", number_command([](SimGpu& gpu, unsigned n) { gpu.fabric.summary = n; })},
        {"fabric-clique", number_command([](SimGpu& gpu, unsigned n) { gpu.fabric.clique = n; })},
        {"fabric-cluster",
         gpu_command(2,
                     [](auto& node, unsigned minor, auto& a) {
                         return node.change_gpu(minor, [&](SimGpu& gpu) {
                             gpu.fabric.cluster_uuid = a[1] == "none" ? kNoCluster : a[1];
                         });
                     })},
    };
}

}  // namespace

std::map<std::string, Command> gpu_commands() {
    std::map<std::string, Command> commands = {
        {"gpu-lost", change_command([](SimGpu& gpu) { gpu.lost = true; })},
        {"gpu-missing", change_command([](SimGpu& gpu) { gpu.missing = true; })},
        {"mig", change_command([](SimGpu& gpu) { gpu.mig = true; })},
        {"remap",
         gpu_command(2,
                     [](auto& node, unsigned minor, auto& a) { return remap(node, minor, a[1]); })},
        {"ecc", number_command([](SimGpu& gpu, unsigned n) { gpu.ecc_uncorrected = n; })},
        {"recovery", number_command([](SimGpu& gpu, unsigned n) { gpu.recovery_action = n; })},
        {"clocks", number_command([](SimGpu& gpu, unsigned n) { gpu.clock_reasons = n; })},
        {"processes", number_command([](SimGpu& gpu, unsigned n) { gpu.processes = n; })},
        {"pcie-replays", number_command([](SimGpu& gpu, unsigned n) { gpu.pcie_replays = n; })},
    };
    commands.merge(link_commands());
    return commands;
}

}  // namespace yardmaster::sim
