// Files beside slurm.conf, as a prolog reads them: in time or not at all.
#pragma once

#include <string>

#include "healthcheck/budget/child.hpp"
#include "prolog/gpu_files.hpp"
#include "prolog/policy.hpp"
#include "topology/fabric.hpp"

namespace yardmaster {

/// The policy says how much time there is, but its own file may hang.
inline constexpr std::chrono::milliseconds kPolicyReadLimit{1000};

/// yardmaster.json; the defaults where there is none. Never act by a policy that could not be read:
/// it might have said report-only, or where to look. Errors: kMalformed, kUnreadable, kTimeout.
Result<HealthPolicy> policy_beside(const std::string& slurm_conf,
                                   const std::string& node,
                                   Clock::time_point deadline);

/// fabric.json. Errors: as Fabric::parse and read_config_file.
Result<Fabric> fabric_beside(const std::string& slurm_conf, Clock::time_point deadline);

/// How Slurm numbers the node's GPUs, by slurmd's own gres.conf: it lies beside slurm.conf also on
/// a configless node, where the two files above do not.
GpuOrder gpu_order_beside(const std::string& slurm_conf,
                          const std::string& node,
                          Clock::time_point deadline);

}  // namespace yardmaster
