// The other nodes of a job, and how its prologs find each other, without asking slurmctld.
#pragma once

#include <string>

#include "healthcheck/budget/child.hpp"
#include "healthcheck/crossnode/cross_policy.hpp"
#include "prolog/environment.hpp"
#include "prolog/slurm_conf.hpp"

namespace yardmaster {

/// The nodes of `job`, with the first one's address by NodeAddr or NodeHostname, else its name (as
/// Slurm does, and as a dynamic node has it), and munged's socket by AuthInfo. Nodes that cannot
/// meet leave a note in `unknown`: another AuthType has no munge.
JobNodes job_nodes(const JobEnvironment& job, const SlurmConf& conf);

/// The same by the slurm.conf of `job`, read until `deadline`, and only where there is something to
/// meet by `policy`. A file that cannot be read leaves a note in `unknown`.
JobNodes read_job_nodes(const JobEnvironment& job,
                        const CrossPolicy& policy,
                        Clock::time_point deadline);

}  // namespace yardmaster
