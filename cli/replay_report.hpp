// A comparison of policies as a table and as JSON.
#pragma once

#include <ostream>

#include "base/json_value.hpp"
#include "replay/comparison.hpp"

namespace yardmaster::cli {

/// One line a metric, one column a policy.
void print_comparison(const Fabric& fabric, const Comparison& comparison, std::ostream& out);
/// Metrics, refused jobs, and every start with its nodes in rank order.
JsonValue comparison_to_json(const Fabric& fabric, const Comparison& comparison);

}  // namespace yardmaster::cli
