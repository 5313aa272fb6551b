// From plan's options to a question for the placer.
#pragma once

#include <string>
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

/// "4 nodes x 8 GPUs, hints tp16, a TP group takes 2 nodes".
std::string request_text(const PlacementRequest& request);

}  // namespace yardmaster::cli
