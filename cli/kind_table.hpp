// A job's parallel groups, kind by kind.
#pragma once

#include <ostream>
#include <string>

#include "topology/placer.hpp"

namespace yardmaster::cli {

/// One column a kind that the job uses: how many groups, how many of them leave their NVLink domain
/// (marked where that harms), where their edges go, how far they are spread, what they cost.
/// `tiers`: switch tiers worth a line. At most 100 columns wide. Prints nothing without groups.
void print_kinds(const PlacementFacts& facts, std::size_t tiers, std::ostream& out);

/// What stands in place of a predicted time where no link joins the nodes.
inline constexpr const char* kNoLink = "no link";

/// Whether edges of `kind` (of any kind) lie between nodes that neither NVLink nor a switch joins:
/// separate fabrics, or a fabric file without switches. Their predicted time stands for "never"
/// (see predict) and says nothing to people.
bool no_link(const PlacementFacts& facts, GroupKind kind);
bool no_link(const PlacementFacts& facts);

/// Predicted seconds of one step that groups of `kind`, which the job uses, communicate.
std::string kind_time_text(const PlacementFacts& facts, GroupKind kind);

/// Switch tiers worth a line: the topmost says nothing where everything lies in one fabric.
std::size_t tiers_worth_showing(const PlacementFacts& facts);

}  // namespace yardmaster::cli
