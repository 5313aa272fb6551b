// What a job would get now, what it would get on an empty fabric, and who stands between.
#pragma once

#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "cli/placement_report.hpp"
#include "cli/plan_request.hpp"
#include "cli/slurm_client.hpp"

namespace yardmaster::cli {

/// Nodes of the better set that are not to be had, and why.
struct Obstacle {
    std::string what;  ///< "job 12 \"train\" of alice, until 2026-11-30T21:04:05 at the latest"
    std::vector<NodeIndex> nodes;
};

struct WhatIf {
    std::optional<PlacementColumn> now;  ///< none: it cannot start
    std::string now_problem;             ///< why not
    PlacementColumn best;                ///< of the equally good sets one with few nodes in use
    std::vector<Obstacle> obstacles;     ///< empty when `now` is as good

    bool as_good() const;
    /// Whether both are the same nodes.
    bool same_set() const;
    /// Predicted communication of now divided by the best's; 0 without either, or where no link
    /// joins the nodes.
    double slowdown() const;
};

/// What is known of the live cluster; both empty without --live.
struct LiveCluster {
    std::vector<SlurmNode> nodes;
    std::vector<SlurmJob> jobs;  ///< those on nodes
};

/// Both sets in the best rank order that is known. Errors: the placer's on an empty fabric.
Result<WhatIf> ask_what_if(const Fabric& fabric,
                           const CostWeights& weights,
                           const PlanRequest& request,
                           const LiveCluster& live);

void print_what_if(const Fabric& fabric,
                   const PlanRequest& request,
                   const WhatIf& answer,
                   bool unicode,
                   std::ostream& out);
JsonValue what_if_to_json(const Fabric& fabric, const WhatIf& answer);

}  // namespace yardmaster::cli
