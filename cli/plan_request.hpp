// From plan's options to a question for the placer.
#pragma once

#include <vector>

#include "base/status.hpp"
#include "cli/picture.hpp"
#include "cli/plan.hpp"
#include "topology/fabric.hpp"
#include "topology/placer.hpp"

namespace yardmaster::cli {

struct PlanRequest {
    PlacementRequest request;
    std::vector<CellState> states;  ///< [NodeIndex] before the job is placed
};

/// kInvalidArgument for what the user wrote wrongly.
Result<PlanRequest> make_plan_request(const Fabric& fabric, const PlanOptions& options);

}  // namespace yardmaster::cli
