#include "prolog/policy.hpp"

#include "base/json.hpp"
#include "prolog/policy_keys.hpp"

namespace yardmaster {

HealthPolicy default_policy() {
    return {};
}

void apply_policy(const HealthPolicy& policy, CheckScope& scope) {
    scope.counters = policy.counters;
    scope.wiring = policy.wiring;
}

Result<HealthPolicy> parse_policy(std::string_view json,
                                  std::string_view source,
                                  const std::string& node) {
    const auto document = JsonDocument::parse(json);
    if (!document) {
        return document.status().with_context(source);
    }
    HealthPolicy policy;
    const Status status = read_config(document->root(), policy_keys(), node, policy);
    return status ? Result<HealthPolicy>(std::move(policy)) : status.with_context(source);
}

}  // namespace yardmaster
