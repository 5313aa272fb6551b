#include "cli/doctor/doctor.hpp"

#include <algorithm>
#include <utility>

namespace yardmaster::cli {
namespace doctor {
namespace {

Result<Roles> choose_roles(const DoctorOptions& options, const Host& host, const SlurmConf& conf) {
    if (!options.role.empty()) {
        return Roles{options.role == "controller", options.role == "node"};
    }
    Roles roles = guess_roles(host, conf);
    roles.node = roles.node || !options.node.empty();
    if (!roles.controller && !roles.node) {
        return Status(ErrorCode::kInvalidArgument,
                      "host " + host.name + " is neither a SlurmctldHost nor a NodeName of " +
                          conf.file +
                          ", and runs neither slurmctld nor slurmd; say which: "
                          "yardmaster doctor controller, or yardmaster doctor node --node NAME");
    }
    return roles;
}

/// A node that --node names must be in slurm.conf: everything else is judged by that name.
Result<std::string> choose_node(const DoctorOptions& options,
                                const Host& host,
                                const SlurmConf& conf) {
    if (options.node.empty()) {
        const auto nodes = nodes_on(host, conf);
        return nodes.size() == 1 ? nodes.front() : std::string();
    }
    for (const NodeLine& line : conf.nodes) {
        if (std::find(line.names.begin(), line.names.end(), options.node) != line.names.end()) {
            return options.node;
        }
    }
    return Status(ErrorCode::kInvalidArgument,
                  "--node: " + conf.file + " has no NodeName=" + options.node);
}

}  // namespace
}  // namespace doctor

ExitCode run_doctor(const DoctorOptions& options,
                    const doctor::Host& host,
                    const char* slurm_conf_from_environment,
                    const Console& console) {
    const auto file = doctor::find_slurm_conf(host, slurm_conf_from_environment);
    if (!file) {
        return fail(console, file.status());
    }
    auto conf = read_slurm_conf(
        *file, [&](const std::string& path) { return doctor::read_text(host, path); });
    if (!conf) {
        return fail(console, conf.status());
    }
    const auto roles = doctor::choose_roles(options, host, *conf);
    if (!roles) {
        return fail(console, roles.status());
    }
    const auto node = doctor::choose_node(options, host, *conf);
    if (!node) {
        return fail(console, node.status());
    }
    const doctor::Case examined =
        doctor::examine(host, *roles, roles->node ? *node : std::string(), std::move(conf).value());
    const auto findings = doctor::run_checks_of(examined);
    const auto print = options.json ? &doctor::print_json : &doctor::print_text;
    print(examined, findings, console.out);
    const bool wrong = std::any_of(findings.begin(), findings.end(), [](const auto& finding) {
        return finding.severity >= doctor::Severity::kWarning;
    });
    return wrong ? kExitFindings : kExitOk;
}

}  // namespace yardmaster::cli
