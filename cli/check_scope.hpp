// What `check` is to check: this node, its policy, its GPUs and their rails.
#pragma once

#include "base/status.hpp"
#include "cli/check.hpp"
#include "healthcheck/scope.hpp"
#include "prolog/policy.hpp"

namespace yardmaster::cli {

struct CheckPlan {
    HealthPolicy policy;
    CheckScope scope;
};

/// What Slurm calls this host, as far as that is known without asking: SLURMD_NODENAME, else the
/// short host name.
std::string own_node_name();

/// Errors: kInvalidArgument for options that are no GPU list or node name; kMalformed, kUnreadable
/// for a policy file; kNotFound when the node's GPUs are not known and none were named. A fabric
/// file that cannot be had is no error: the scope says so, and the verdict is unknown.
Result<CheckPlan> plan_check(const CheckOptions& options);

}  // namespace yardmaster::cli
