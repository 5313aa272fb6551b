#include "cli/check_scope.hpp"

#include <unistd.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <numeric>

#include "cli/site_policy.hpp"
#include "cli/slurm_client.hpp"
#include "prolog/config_file.hpp"
#include "prolog/environment.hpp"
#include "prolog/scope_builder.hpp"

namespace yardmaster::cli {
namespace {

/// Configuration may lie on a network file system that hangs; a person waits this long for it.
constexpr std::chrono::seconds kConfigLimit{5};

Result<std::string> node_name(const CheckOptions& options) {
    const std::string name = options.node.empty() ? own_node_name() : options.node;
    if (!is_node_name(name)) {
        return Status(ErrorCode::kInvalidArgument, "\"" + name + "\" is no node name; give --node");
    }
    return name;
}

Result<Fabric> read_fabric(const CheckOptions& options) {
    const std::string file =
        options.fabric_file.empty() ? default_fabric_file() : options.fabric_file;
    const auto text = read_config_file(file, Clock::now() + kConfigLimit);
    return text ? Fabric::parse(*text, file) : Result<Fabric>(text.status());
}

Result<std::vector<unsigned>> gpus_to_check(const CheckOptions& options,
                                            const std::string& node,
                                            const Result<Fabric>& fabric) {
    if (!options.gpus.empty()) {
        const auto gpus = parse_gpu_list(options.gpus);
        return gpus ? gpus : Result<std::vector<unsigned>>(gpus.status().with_context("--gpus"));
    }
    if (!fabric) {
        return fabric.status().with_context("which GPUs? give --gpus, or a fabric file");
    }
    const auto index = fabric->find(node);
    if (!index || fabric->type_of(*index).gpus == 0) {
        return Status(ErrorCode::kNotFound,
                      "the fabric file names no GPUs of node " + node +
                          "; give --gpus, or --node if Slurm calls this node otherwise");
    }
    std::vector<unsigned> gpus(fabric->type_of(*index).gpus);
    std::iota(gpus.begin(), gpus.end(), 0U);
    return gpus;
}

}  // namespace

std::string own_node_name() {
    const char* from_slurmd = std::getenv("SLURMD_NODENAME");
    if (from_slurmd != nullptr && *from_slurmd != '\0') {
        return from_slurmd;
    }
    std::array<char, 256> host{};
    gethostname(host.data(), host.size() - 1);
    const std::string name = host.data();
    return name.substr(0, name.find('.'));
}

Result<CheckPlan> plan_check(const CheckOptions& options) {
    const auto node = node_name(options);
    if (!node) {
        return node.status();
    }
    auto policy = read_site_policy(options.policy_file, *node);
    if (!policy) {
        return policy.status();
    }
    const auto fabric = read_fabric(options);
    auto gpus = gpus_to_check(options, *node, fabric);
    if (!gpus) {
        return gpus.status();
    }
    const std::string folder = std::filesystem::path(default_fabric_file()).parent_path();
    const GpuOrder order = read_gpu_order(folder, *node, Clock::now() + kConfigLimit);
    CheckPlan plan{std::move(policy).value(),
                   build_scope({*node, 0, std::move(gpus).value(), false, order}, fabric)};
    apply_policy(plan.policy, plan.scope);
    return plan;
}

}  // namespace yardmaster::cli
