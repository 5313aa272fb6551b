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

/// `cluster`: Slurm's nodes for options.live, else null, and then every node counts as free that
/// the options do not name. kInvalidArgument for what the user wrote wrongly.
Result<PlanRequest> make_plan_request(const Fabric& fabric,
                                      const PlanOptions& options,
                                      const std::vector<SlurmNode>* cluster);

}  // namespace yardmaster::cli
