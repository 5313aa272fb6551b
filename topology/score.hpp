// The score of a set of nodes, whoever chose it.
#pragma once

#include <vector>

#include "topology/placer.hpp"
#include "topology/supply.hpp"
#include "topology/unit_tree.hpp"

namespace yardmaster {

/// `tree` with SpanningDomains::kCut; `census` of that tree and of `offers`.
PlacementScore score_set(const UnitTree& tree,
                         const Census& census,
                         const std::vector<NodeOffer>& offers,
                         const std::vector<NodeIndex>& nodes);

}  // namespace yardmaster
