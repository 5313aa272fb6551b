// Asks stock about the placer's sets, best first, within bounds.
#pragma once

#include <cstdint>
#include <string>

#include "plugin/select/node_sets.hpp"

namespace yardmaster {

struct Question;

struct Attempts {
    bool accepted = false;      ///< stock took a set; the call that did was the last one
    bool freely = false;        ///< not one of the placer's sets: stock chose among all nodes
    std::uint32_t refused = 0;  ///< sets it refused before (or in all)
    std::string why_none;       ///< why there was no set to ask about, if so
};

/// Sets asked about in one go. A refusal costs a fraction of a millisecond, and sets far down the
/// list differ little from stock's own choice.
inline constexpr std::uint32_t kMostSets = 8;

/// Asks about at most `limit` sets of `usable` nodes; with preemptees, if `with_preemptees`.
Attempts try_sets(Question& question,
                  const NodeSet& usable,
                  bool with_preemptees,
                  std::uint32_t limit = kMostSets);

}  // namespace yardmaster
