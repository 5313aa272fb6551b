// Tells slurmctld about links in doubt on a node that stays in service.
#pragma once

#include <string>

#include "healthcheck/budget/child.hpp"
#include "healthcheck/evidence.hpp"
#include "prolog/node_extra.hpp"
#include "prolog/policy.hpp"
#include "prolog/soft_state.hpp"

namespace yardmaster {

/// Brings the node's Extra to what `state` wants, if it is empty or a mark of ours; somebody else's
/// is never touched. Notes in `state` what was told. Returns a sentence for the log; "": nothing to
/// say. An error of slurmctld leaves the rest to the next check. Blocks as `extra` does.
std::string tell_soft(NodeExtra& extra, const std::string& node, SoftState& state);

/// After a run: next_soft_state, kept in the state folder, and tell_soft if that changes what
/// slurmctld ought to know. All in one child, given up at `deadline`: a hung folder or slurmctld
/// costs the mark, never the job. With `enforce: false` slurmctld is told nothing.
void report_soft(const Evidence& evidence,
                 const HealthPolicy& policy,
                 const std::string& slurm_conf,
                 Clock::time_point deadline);

}  // namespace yardmaster
