// What `ranks` knows of one job, before it is written in a format.
#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "base/json_value.hpp"
#include "cli/ranks.hpp"
#include "topology/rank_plan.hpp"
#include "topology/rank_variables.hpp"

namespace yardmaster::cli {

struct RanksReport {
    std::string title;  ///< "job 123", or the host list
    CostWeights weights;
    RankSheet sheet;
    RankLayout layout;
    std::vector<std::string> slurm_order;
    bool slurm_is_as_good = false;  ///< then the order is Slurm's
    std::uint32_t tp_groups = 0;
    std::uint32_t split_tp_groups = 0;        ///< in the order found
    std::uint32_t slurm_split_tp_groups = 0;  ///< in Slurm's order
    bool no_link = false;                     ///< none joins all the nodes: no time is known
    double seconds = 0;                       ///< predicted communication in one step
    double slurm_seconds = 0;
    std::vector<std::string> domains;  ///< [node rank]
    std::vector<std::string> leaves;   ///< [node rank]; "-": under no switch
};

/// The ranks of `given`, which stand in Slurm's order. Errors: as plan_ranks.
Result<RanksReport> report_ranks(const Fabric& fabric,
                                 const CostWeights& weights,
                                 const std::vector<NodeIndex>& given,
                                 std::uint32_t gpus_per_node,
                                 const Hints& hints);

/// The text of options.format (RanksOptions). kInvalidArgument: options.node is none of the nodes.
Result<std::string> format_ranks(const RanksReport& report, const RanksOptions& options);

JsonValue ranks_to_json(const RanksReport& report);

}  // namespace yardmaster::cli
