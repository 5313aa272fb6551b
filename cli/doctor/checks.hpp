// The checks, one group a file. Each looks at the Case and says what it found, good or bad.
#pragma once

#include "cli/doctor/case.hpp"
#include "cli/doctor/finding.hpp"

namespace yardmaster::cli::doctor {

/// slurm.conf's own faults, and whether the running slurmctld has what the file says.
void check_conf(const Case& examined, Findings& findings);
/// slurmctld answers, munge works, the clocks agree.
void check_daemons(const Case& examined, Findings& findings);
/// PluginDir: its folders, their order, and copies that lie where they do harm.
void check_plugin_dir(const Case& examined, Findings& findings);
/// Our plugins are built for the Slurm that is installed here.
void check_plugin_versions(const Case& examined, Findings& findings);
/// Settings without which Yardmaster does nothing, or does harm.
void check_settings(const Case& examined, Findings& findings);
/// plugstack.conf of a node: our SPANK plugin is in it, is found, and does no harm where it is not.
void check_plugstack(const Case& examined, Findings& findings);
/// The prolog's settings: flags, requeueing, time limits.
void check_prolog_settings(const Case& examined, Findings& findings);
/// Prolog=: whether it runs yardmaster-prolog, and on a node, whether slurmd can run it.
void check_prolog_files(const Case& examined, Findings& findings);
/// The fabric file, alone and beside slurmctld's nodes.
void check_fabric(const Case& examined, Findings& findings);
/// The policy file, and on a node the evidence folder that it names.
void check_policy(const Case& examined, Findings& findings);
/// A node's libraries, adapters and device files, and a dry run of the prolog's checks.
void check_hardware(const Case& examined, Findings& findings);

}  // namespace yardmaster::cli::doctor
