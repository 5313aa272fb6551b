// What one edge between two nodes shows, before anybody is blamed for it.
#pragma once

#include <string>
#include <vector>

#include "healthcheck/crossnode/cross_reading.hpp"

namespace yardmaster {

struct CrossSymptom {
    enum class Kind { kGood, kSaysNothing, kBad };
    Kind kind = Kind::kGood;
    bool slow = false;       ///< kBad: data came, but too few a second
    std::string sign;        ///< kBad: Finding::sign
    std::string short_text;  ///< kBad: for the drain reason
    std::string detail;      ///< one sentence; "" of a good one
    bool good() const { return kind == Kind::kGood; }
    bool bad() const { return kind == Kind::kBad; }
};

/// [edge] symptoms. A rate is held against the median of the ring's edges that carry the same
/// payload by their ports' rates: less than (1 - max_loss) of it is bad. With fewer than four of
/// them there is nothing to hold it against.
std::vector<CrossSymptom> cross_symptoms(const std::vector<CrossEdge>& edges, double max_loss);

}  // namespace yardmaster
