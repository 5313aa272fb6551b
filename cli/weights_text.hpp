// The cost model's weights that a command went by, where they are not the defaults.
#pragma once

#include <ostream>

#include "base/json_value.hpp"
#include "topology/cost_weights.hpp"

namespace yardmaster::cli {

/// "Weights: hidden 8192 (default 16384)"; nothing for the defaults.
void print_weights(const CostWeights& weights, std::ostream& out);

/// Members are the weights that are not the defaults.
JsonValue weights_to_json(const CostWeights& weights);

}  // namespace yardmaster::cli
