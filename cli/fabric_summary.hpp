// A fabric in a few lines: types, domains, tiers.
#pragma once

#include <ostream>

#include "base/json_value.hpp"
#include "topology/fabric.hpp"

namespace yardmaster::cli {

void print_summary(const Fabric& fabric, std::ostream& out);
JsonValue summary_to_json(const Fabric& fabric);

}  // namespace yardmaster::cli
