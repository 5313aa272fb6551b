// What all checks look at: one host in one role, its slurm.conf, and the controller's answer.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/status.hpp"
#include "cli/doctor/controller.hpp"
#include "cli/doctor/finding.hpp"
#include "cli/doctor/host.hpp"
#include "cli/doctor/slurm_conf.hpp"
#include "prolog/policy.hpp"
#include "topology/cost_weights.hpp"
#include "topology/fabric.hpp"

namespace yardmaster::cli::doctor {

struct Roles {
    bool controller = false;
    bool node = false;
};

struct Case {
    const Host& host;
    Roles roles;
    std::string node;  ///< this node's name in Slurm; "": no node, or its name is not known
    SlurmConf conf;
    Result<ControllerAnswer> controller;
    Result<Fabric> fabric;  ///< fabric.json beside slurm.conf
    /// The sections of yardmaster.json beside slurm.conf; defaults where there is none.
    Result<HealthPolicy> policy;
    Result<CostWeights> weights;

    /// "/etc/slurm/slurm.conf:12", or the file where `key` is not set.
    std::string place_of(std::string_view key) const;
    std::string value_of(std::string_view key) const { return conf.settings.value_or(key, ""); }
    /// `name` in the folder of Yardmaster's own files, as the prolog and the plugins see it.
    std::string our_file(const std::string& name) const;
    /// `name` in the very folder of slurm.conf, where Slurm looks for its own files.
    std::string beside_conf(const std::string& name) const;
};

/// slurm.conf as libslurm would find it (read_config.c, _establish_config_source): SLURM_CONF, then
/// /etc/slurm, then the copy that a configless slurmd keeps. kNotFound names all three.
Result<std::string> find_slurm_conf(const Host& host, const char* from_environment);

/// Whether this host is one of the conf's controllers, or runs slurmctld; and the same for slurmd
/// and the NodeName lines.
Roles guess_roles(const Host& host, const SlurmConf& conf);

/// The nodes whose slurmd runs on this host: one, as a rule.
std::vector<std::string> nodes_on(const Host& host, const SlurmConf& conf);

/// Reads everything that a Case holds. Waits for slurmctld at most kControllerLimit.
Case examine(const Host& host, Roles roles, const std::string& node, SlurmConf conf);

}  // namespace yardmaster::cli::doctor
