// The site's policy file, as the prolog reads it.
#pragma once

#include <string>

#include "base/status.hpp"
#include "prolog/policy.hpp"

namespace yardmaster::cli {

/// The policy for `node` from `file`; "" is yardmaster.json beside slurm.conf, which may be absent:
/// then the defaults hold. Errors: kMalformed, kUnreadable, kTimeout.
Result<HealthPolicy> read_site_policy(const std::string& file, const std::string& node);

}  // namespace yardmaster::cli
