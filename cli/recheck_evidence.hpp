// What a node was last judged to be since a drain: whether that drain may be taken back.
#pragma once

#include <ctime>
#include <optional>
#include <string>

#include "base/status.hpp"
#include "cli/slurm_client.hpp"
#include "healthcheck/evidence.hpp"
#include "healthcheck/reason.hpp"

namespace yardmaster::cli {

/// When a node was drained, by whichever of slurmctld's clock and the node's is later.
std::time_t drain_time(const SlurmNode& node, const DrainReason& reason);

/// The newest bundle of `node` in `directory` made after `since` and not later than `now` that is a
/// re-check or degraded, with its findings judged anew; none when there is none. Bundles that
/// cannot be read are passed over. Errors: as list_evidence.
Result<std::optional<Evidence>> last_judgement(const std::string& directory,
                                               const std::string& node,
                                               std::time_t since,
                                               std::time_t now);

/// Why `judgement` does not allow to take the drain `reason` back; none when it does. Only a
/// re-check that found the node healthy does, and simulated hardware speaks for simulated alone.
std::optional<std::string> judgement_objection(const std::optional<Evidence>& judgement,
                                               const DrainReason& reason,
                                               const std::string& node);

}  // namespace yardmaster::cli
