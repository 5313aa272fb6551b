// What became of each bad edge of the ring: whose fault it is, if anybody's.
#pragma once

#include <string>
#include <vector>

#include "healthcheck/crossnode/cross_reading.hpp"
#include "healthcheck/crossnode/cross_symptom.hpp"

namespace yardmaster {

struct CrossConclusion {
    enum class Kind {
        kPassed,  ///< good when it was measured again
        kPort,    ///< one end's port, `culprit`
        kPair,    ///< both ends do well with third parties: the way between them
        kOpen,    ///< nobody could decide
    };
    Kind kind = Kind::kOpen;
    std::size_t edge = 0;   ///< place in the edges
    CrossPort culprit{};    ///< kPort only
    bool near = false;      ///< kPort: what shows it stays inside a leaf group of one rail
    CrossSymptom symptom;   ///< of the edge when it was measured first
    std::string witnesses;  ///< "bad with hgx3 mlx5_0 too, which ...": for people
};

/// One for each bad edge of the ring, in order. An end is the culprit when the edge was bad again
/// and
/// - the end was bad with a third party in the same way, while the other end was good with one; or
/// - every edge of the end was bad in that way, with two nodes at least, while those nodes' other
///   edges of the ring were good.
std::vector<CrossConclusion> cross_conclusions(const std::vector<CrossEdge>& edges,
                                               double max_loss);

}  // namespace yardmaster
