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

/// The symptom of `edges[index]`. A rate is held against the median of the ring's edges that carry
/// the same payload by their ports' rates: less than (1 - max_loss) of it is bad. With fewer than
/// three others there is nothing to hold it against.
CrossSymptom cross_symptom(const std::vector<CrossEdge>& edges, std::size_t index, double max_loss);

}  // namespace yardmaster
