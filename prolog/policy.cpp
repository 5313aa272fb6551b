#include "prolog/policy.hpp"

#include "base/site_file.hpp"
#include "prolog/policy_keys.hpp"

namespace yardmaster {

HealthPolicy default_policy() {
    return {};
}

Result<HealthPolicy> parse_policy(std::string_view json,
                                  std::string_view source,
                                  const std::string& node) {
    return parse_site_file(json, source, policy_keys(), node);
}

}  // namespace yardmaster
