// A job's parallel groups, kind by kind.
#pragma once

#include <ostream>

#include "topology/placer.hpp"

namespace yardmaster::cli {

/// One line a kind that the job uses: how many groups, how many split, where their edges go, how
/// far they are spread, what they cost. `tiers`: switch tiers worth a column. Prints nothing
/// without groups.
void print_kinds(const PlacementFacts& facts, std::size_t tiers, std::ostream& out);

/// Switch tiers worth a column: the topmost says nothing where everything lies in one fabric.
std::size_t tiers_worth_showing(const PlacementFacts& facts);

}  // namespace yardmaster::cli
