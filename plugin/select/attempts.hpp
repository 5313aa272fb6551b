// Asks stock about the placer's sets, best first, within bounds.
#pragma once

#include <cstdint>
#include <string>

#include "plugin/select/demand.hpp"
#include "plugin/select/supply.hpp"

namespace yardmaster {

struct Question;

struct Attempts {
    bool accepted = false;      ///< stock took a set; the call that did was the last one
    bool freely = false;        ///< not one of the placer's sets: stock chose among all nodes
    std::uint32_t refused = 0;  ///< sets it refused before (or in all)
    std::string why_none;       ///< why there was no set to ask about, if so
    std::string note;           ///< what the accepted set gives up
    GpuMask gpus = 0;           ///< indices that stock was left on every node of the accepted set;
                                ///< 0: it saw all, or they differ
    NodeSet first;              ///< the best set, if stock refused it
};

/// Sets asked about in one go. A refusal costs a fraction of a millisecond, and sets far down the
/// list differ little from stock's own choice.
inline constexpr std::uint32_t kMostSets = 8;

/// Asks about at most `limit` sets for `demand` among the nodes that could serve it at `moment`
/// (now or preempting); with preemptees at the latter.
Attempts try_sets(Question& question,
                  const Demand& demand,
                  const Moment& moment,
                  std::uint32_t limit = kMostSets);

/// try_sets for the question's demand or, where a job with hard hints may have several extents, for
/// each of them until one is accepted; that one is then the question's demand.
Attempts try_shapes(Question& question, const Moment& moment);

}  // namespace yardmaster
