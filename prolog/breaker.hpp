// The circuit breaker: whether one more drain is still credible.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "prolog/controller.hpp"
#include "prolog/policy.hpp"

namespace yardmaster {

/// A drain that is wanted.
struct DrainRequest {
    std::string node;
    std::string reason;  ///< the whole text, as format_reason writes it
    std::string cause;   ///< its cause, as cause_of writes it
    std::uint32_t job = 0;
    std::uint32_t restart_count = 0;
    BreakerPolicy breaker;
    std::time_t now = 0;  ///< seconds since 1970
};

/// Why `request` must not be carried out, given all nodes of the cluster; none when it may. Counts
/// other nodes only. With `after` (the node has just been drained) the job's own history, which has
/// been looked at before, is not asked again.
std::optional<std::string> breaker_objection(const DrainRequest& request,
                                             const std::vector<NodeState>& nodes,
                                             bool after);

}  // namespace yardmaster
