#include "prolog/scope_builder.hpp"

#include <algorithm>
#include <charconv>
#include <optional>

namespace yardmaster {
namespace {

/// A NIC as the fabric file names it, "mlx5_3" or with a port "mlx5_3:2"; none when the name cannot
/// be that of an RDMA device (it becomes a part of a path).
std::optional<ExpectedRail> parse_rail(const Rail& rail) {
    ExpectedRail expected;
    const auto colon = rail.nic.find(':');
    expected.device = rail.nic.substr(0, colon);
    expected.gbps = rail.gbps;
    if (colon != std::string::npos) {
        const char* end = rail.nic.data() + rail.nic.size();
        const auto parsed = std::from_chars(rail.nic.data() + colon + 1, end, expected.port);
        if (parsed.ec != std::errc() || parsed.ptr != end) {
            return std::nullopt;
        }
    }
    const bool safe = !expected.device.empty() && expected.device.front() != '.' &&
                      expected.device.find('/') == std::string::npos;
    return safe ? std::optional(expected) : std::nullopt;
}

void add_note(CheckScope& scope, const std::string& note) {
    scope.rails_unknown += (scope.rails_unknown.empty() ? "" : "; ") + note;
}

/// All rail devices of a node, in GPU order.
std::vector<std::string> devices_of(const Fabric& fabric, NodeIndex node) {
    std::vector<std::string> devices;
    for (std::uint16_t gpu = 0; gpu < fabric.type_of(node).gpus; ++gpu) {
        const auto rail = fabric.rail(node, GpuIndex{gpu});
        const auto parsed = rail ? parse_rail(*rail) : std::nullopt;
        if (parsed) {
            devices.push_back(parsed->device);
        }
    }
    return devices;
}

void add_rail(const Rail& rail, unsigned gpu, CheckScope& scope) {
    auto parsed = parse_rail(rail);
    if (!parsed || !(parsed->gbps > 0)) {
        add_note(scope, "the fabric file's rail \"" + rail.nic + "\" has no usable name or speed");
        return;
    }
    const auto there =
        std::find_if(scope.rails.begin(), scope.rails.end(), [&](const ExpectedRail& other) {
            return other.device == parsed->device && other.port == parsed->port;
        });
    if (there != scope.rails.end()) {
        there->gpus.push_back(gpu);
    } else {
        parsed->gpus = {gpu};
        parsed->rail = gpu;
        scope.rails.push_back(std::move(*parsed));
    }
}

void add_rails(const Fabric& fabric, NodeIndex node, CheckScope& scope) {
    for (unsigned gpu : scope.gpus) {
        if (gpu >= fabric.type_of(node).gpus) {
            add_note(scope,
                     "GPU " + std::to_string(gpu) + " is not in the fabric file's node type " +
                         fabric.type_of(node).name);
        } else if (const auto rail = fabric.rail(node, GpuIndex{static_cast<std::uint16_t>(gpu)})) {
            add_rail(*rail, gpu, scope);
        }
    }
}

void forget_order(CheckScope& scope, std::string why) {
    scope.gpu_numbering = GpuNumbering::kUnknown;
    scope.gpu_numbering_why = std::move(why);
}

/// Makes minors of gres indices where the order of device files says them, and else says what the
/// indices are, for the check to find out.
void number_gpus(const GpuOrder& order, CheckScope& scope) {
    scope.gpu_numbering = order.numbering;
    scope.gpu_numbering_why = order.why;
    if (order.numbering == GpuNumbering::kUnknown) {
        return;
    }
    if (order.numbering != GpuNumbering::kMinor) {
        if (order.named != 0 && order.named != scope.node_gpus) {
            forget_order(scope,
                         "gres.conf names " + std::to_string(order.named) +
                             " device files, and Slurm detects GPUs beside them");
        }
        return;
    }
    if (!scope.gpus.empty() && scope.gpus.back() >= order.minors.size()) {
        forget_order(scope,
                     "gres.conf names " + std::to_string(order.minors.size()) +
                         " device files, the job has GPU " + std::to_string(scope.gpus.back()));
        return;
    }
    const auto to_minors = [&](std::vector<unsigned>& gpus) {
        for (unsigned& gpu : gpus) {
            gpu = order.minors[gpu];
        }
        std::sort(gpus.begin(), gpus.end());
    };
    to_minors(scope.gpus);
    for (ExpectedRail& rail : scope.rails) {
        to_minors(rail.gpus);
    }
}

void expect_rails(const ScopeRequest& request, const Result<Fabric>& fabric, CheckScope& scope) {
    if (!fabric) {
        add_note(scope, fabric.status().message());
        return;
    }
    const auto node = fabric->find(request.node);
    if (!node) {
        add_note(scope, "the fabric file does not name this node");
        return;
    }
    scope.node_gpus = fabric->type_of(*node).gpus;
    scope.node_rails = devices_of(*fabric, *node);
    if (const auto leaf = fabric->node(*node).leaf) {
        scope.leaf = fabric->unit(*leaf).name;
    }
    if (scope.mig) {
        add_note(scope, "the job runs on MIG slices, whose rails are not known");
    } else {
        add_rails(*fabric, *node, scope);
    }
}

}  // namespace

CheckScope build_scope(const ScopeRequest& request, const Result<Fabric>& fabric) {
    CheckScope scope;
    scope.node = request.node;
    scope.job = request.job;
    scope.gpus = request.gpus;
    scope.mig = request.mig;
    expect_rails(request, fabric, scope);
    if (!scope.mig) {
        number_gpus(request.order, scope);
    }
    return scope;
}

}  // namespace yardmaster
