// The keys of the section health of yardmaster.json, once: read by parse_policy, written out by
// ym-docgen.
#pragma once

#include "base/config_keys.hpp"
#include "prolog/policy.hpp"

namespace yardmaster {

const ConfigTable<HealthPolicy>& policy_keys();

}  // namespace yardmaster
