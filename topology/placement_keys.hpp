// The keys of the section placement of yardmaster.json, once: read by parse_cost_weights, written
// out by ym-docgen.
#pragma once

#include "base/config_keys.hpp"
#include "topology/cost_weights.hpp"

namespace yardmaster {

const ConfigTable<CostWeights>& placement_keys();

}  // namespace yardmaster
