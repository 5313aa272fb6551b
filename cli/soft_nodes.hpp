// Nodes with a SoftMark, for people.
#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "base/json_value.hpp"
#include "cli/slurm_client.hpp"

namespace yardmaster::cli {

/// Those of `cluster` that bear a mark in force, in table order. Borrowed from `cluster`.
std::vector<const SlurmNode*> soft_degraded(const std::vector<SlurmNode>& cluster);

/// "yard03 is soft-degraded since 2026-12-01 10:43: mlx5_3 flapped".
std::string soft_sentence(const SlurmNode& node);

/// A table of node, cause, since and until; nothing when there are none.
void print_soft_degraded(const std::vector<SlurmNode>& cluster, std::ostream& out);
JsonValue soft_degraded_to_json(const std::vector<SlurmNode>& cluster);

}  // namespace yardmaster::cli
