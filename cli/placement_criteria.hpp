// The placer's criteria as a list, in the order in which they count.
#pragma once

#include <string>
#include <vector>

#include "topology/placer.hpp"

namespace yardmaster::cli {

struct Criterion {
    const char* key;            ///< for JSON
    const char* label;          ///< for people
    std::vector<double> value;  ///< compared element by element; smaller is better
    std::string text{};         ///< for people, in place of a value that says nothing; else ""
};

/// Most important first, as PlacementScore declares them.
std::vector<Criterion> criteria_of(const PlacementScore& score);

/// "3", or "0/2" for a criterion with an element a weight class.
std::string criterion_text(const Criterion& criterion);

}  // namespace yardmaster::cli
