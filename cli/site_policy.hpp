// The site's policy file, as the prolog and slurmctld read it.
#pragma once

#include <string>

#include "base/status.hpp"
#include "prolog/policy.hpp"
#include "topology/cost_weights.hpp"

namespace yardmaster::cli {

/// The section health for `node` from `file`; "" is yardmaster.json beside slurm.conf, which may be
/// absent: then the defaults hold. Errors: kMalformed, kUnreadable, kTimeout.
Result<HealthPolicy> read_site_policy(const std::string& file, const std::string& node);

/// The section placement, in the same way.
Result<CostWeights> read_site_weights(const std::string& file);

}  // namespace yardmaster::cli
