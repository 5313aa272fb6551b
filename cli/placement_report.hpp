// How good a placement is, in words, in columns and in JSON: shared by `plan` and `explain`.
#pragma once

#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "base/json_value.hpp"
#include "topology/placer.hpp"

namespace yardmaster::cli {

/// One set of nodes that is shown beside others.
struct PlacementColumn {
    std::string title;  ///< "candidate 1", "first fit by name", "best when empty"
    std::vector<NodeIndex> nodes;
    PlacementScore score;
    PlacementFacts facts;
};

/// Describes `nodes` in the order Slurm would rank them (by name).
PlacementColumn make_column(std::string title,
                            const Fabric& fabric,
                            const Placer& placer,
                            const std::vector<NodeIndex>& nodes,
                            const PlacementRequest& request);

/// Describes `nodes` in the best rank order that is known (plan_ranks).
PlacementColumn make_ranked_column(std::string title,
                                   const Fabric& fabric,
                                   const Placer& placer,
                                   const std::vector<NodeIndex>& nodes,
                                   const PlacementRequest& request);

/// Predicted communication of one step, in seconds; nodes that no link joins have none.
std::string step_time_text(const PlacementFacts& facts);

/// How many times as long `facts` communicates as `best`; 0: it cannot be told.
double times_as_long(const PlacementFacts& facts, const PlacementFacts& best);

/// One line a fact and a criterion, one column a placement; criteria in the placer's order.
void print_columns(const std::vector<PlacementColumn>& columns, std::ostream& out);

/// Why `better` comes before `other`: the first criterion in which they differ, with both values
/// ("leaf groups touched: 1 against 3"). None: they are equal in all of them.
std::optional<std::string> deciding_criterion(const PlacementScore& better,
                                              const PlacementScore& other);

/// The nodes by leaf group (with the units above it) and by NVLink domain of several nodes.
void print_groups(const Fabric& fabric, const std::vector<NodeIndex>& nodes, std::ostream& out);

/// A TP group that does not lie in one NVLink domain.
struct SplitGroup {
    std::uint32_t group = 0;           ///< in rank order, from 0
    std::vector<NodeIndex> nodes;      ///< in rank order
    std::vector<std::string> domains;  ///< touched, distinct
};
/// The split TP groups of a job on `nodes` (in rank order); none without a tp hint.
std::vector<SplitGroup> split_groups(const Fabric& fabric,
                                     const std::vector<NodeIndex>& nodes,
                                     std::uint32_t gpus_per_node,
                                     const Hints& hints);

/// "predicted_seconds" is null where no link joins the nodes.
JsonValue facts_to_json(const PlacementFacts& facts);
JsonValue column_to_json(const Fabric& fabric, const PlacementColumn& column);

}  // namespace yardmaster::cli
