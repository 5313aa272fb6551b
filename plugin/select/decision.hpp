// Decides one select_p_job_test: which candidate sets stock cons_tres is asked about, in which
// order, and what is done when it refuses them all.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "plugin/common/loaded_fabric.hpp"
#include "plugin/select/demand.hpp"
#include "plugin/select/node_map.hpp"
#include "plugin/select/stock_caller.hpp"
#include "plugin/select/supply.hpp"

namespace yardmaster {

/// Everything one decision works on. Lives as long as the call of job_test.
struct Question {
    Question(const ym_job_test& job_test,
             const ym_job_info& info,
             const Hints& hints,
             const LoadedFabric& loaded_fabric,
             const NodeMap& node_map,
             NodeCounts& counts);
    Question(const Question&) = delete;  // its parts refer to each other
    Question& operator=(const Question&) = delete;

    const ym_job_test& test;
    const LoadedFabric& loaded;
    const NodeMap& map;
    Supply supply;
    Demand demand;
    StockCaller stock;
    bool test_now_only;  ///< the caller wants no start in the future
    /// Single GPUs may be hidden from stock in this call.
    bool may_hide;
    JobSize size;
    /// What a job with hard hints may have where it fixed no number of nodes; else empty.
    std::vector<JobShape> shapes;
    std::string why_no_shape;  ///< such a job can have none, for this reason

    /// The nodes that could serve `demand` at `moment`, with the GPUs that it can use there.
    FreeNodes usable(const Demand& demand, const Moment& moment) const;
};

/// What Slurm is told, and what a receipt says of it.
struct Answer {
    int code = 0;            ///< for Slurm; 0: placed (or can be)
    bool ours = false;       ///< one of the placer's sets was taken, else stock chose freely
    std::uint32_t rank = 0;  ///< sets that stock refused before
    std::string note;        ///< what was given up and why
    GpuMask gpus = 0;        ///< the indices chosen for every node; 0: none were, or they differ
    NodeSet first{};         ///< the placer's best set, if stock refused it
};

/// RUN_NOW: allocate now, or say that there is no place now.
Answer run_now(Question& question);
/// TEST_ONLY: could the job ever run on the nodes offered? Enforces no hint: that was decided at
/// submit, and a no from here would brand a job BadConstraints for ever.
Answer test_only(Question& question);
/// WILL_RUN: when and where? Finds now what RUN_NOW would find.
Answer will_run(Question& question);

}  // namespace yardmaster
