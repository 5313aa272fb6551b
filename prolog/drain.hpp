// The drain sequence: look, decide, drain, look again.
#pragma once

#include <string>

#include "base/json.hpp"
#include "prolog/breaker.hpp"
#include "prolog/controller.hpp"

namespace yardmaster {

/// How a drain request ended.
struct DrainResult {
    /// The node is out of service, by us or by somebody else: the job must not start on it.
    bool out_of_service = false;
    /// "drained", "already-drained" (by us), "left-alone" (somebody else's drain, untouched),
    /// "breaker", "unreachable".
    std::string outcome;
    std::string why;  ///< one sentence; "" for "drained"
};

/// Carries `request` out. A node that is out of service already is never touched. The breaker is
/// asked before the drain, and again after it, because many nodes may drain at once: a drain that
/// turns out to be one too many is taken back if it still bears our reason. Blocks as `controller`
/// does.
DrainResult drain_node(Controller& controller, const DrainRequest& request);

/// drain_node in a child, given up at `deadline` ("unreachable").
DrainResult drain_node_within(const std::string& slurm_conf,
                              const DrainRequest& request,
                              std::chrono::steady_clock::time_point deadline);

/// Takes the job off its nodes before this prolog ends in failure. slurmd 22.05 reports the end of
/// a prolog before its failure, so when this node's prolog is the job's last one, slurmctld could
/// launch the batch script in between, DeferBatch notwithstanding. Blocks until `deadline` at the
/// latest; on an error the job is left to slurmd, which does the same a moment later.
Result<GivenBack> give_back_within(const std::string& slurm_conf,
                                   std::uint32_t job,
                                   const std::string& note,
                                   std::chrono::steady_clock::time_point deadline);

}  // namespace yardmaster
