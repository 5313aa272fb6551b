// A job as the placer sees it: quanta in rank order, blocks of them that talk much, and how much.
#pragma once

#include <cstdint>
#include <vector>

#include "topology/cost_model.hpp"
#include "topology/fabric.hpp"
#include "topology/unit_tree.hpp"

namespace yardmaster {

/// Shares of time at line rate, out of kWholeLoad.
inline constexpr std::int64_t kWholeLoad = std::int64_t{1} << 20;

struct JobModel {
    std::uint32_t quantum = 1;    ///< nodes of one quantum
    std::uint32_t quanta = 1;     ///< of the job
    std::uint32_t tp_groups = 1;  ///< in one quantum
    /// GPUs of a quantum from one to the next that is in the same ring; 0: each is in another.
    std::uint32_t ring_step = 0;
    std::uint32_t stage = 1;       ///< quanta of one pipeline stage; all when stages cut quanta
    std::uint32_t next_stage = 0;  ///< quanta from a stage to the next; 0: no pipeline
    std::uint32_t cp_block = 1;    ///< quanta of a context-parallel group; 1: it lies inside one
    std::uint32_t ep_block = 1;    ///< the same of an expert-parallel group
    std::uint32_t ep = 1;          ///< GPUs of such a group
    /// Sizes of blocks that should stay together, in quanta, ascending, each a divisor of the next;
    /// the last may be the stage, none is the whole job or a single quantum.
    std::vector<std::uint32_t> blocks;

    std::int64_t gradient_load = 0, cp_load = 0, ep_load = 0, pp_load = 0;
    HopCost gradient_floor = 0;  ///< what its edges inside nodes cost
    HopCost cp_floor = 0;
    HopCost node_hop = 0;     ///< an edge inside a node
    double load_seconds = 0;  ///< time that kWholeLoad stands for, when every edge is a hop
};

/// A job without GPUs is taken for one of a GPU a node. Sizes that do not fit the job (check_sizes)
/// leave it without groups but for a ring over its quanta.
JobModel model_job(const Fabric& fabric,
                   const Hints& hints,
                   const JobShape& shape,
                   const CostWeights& weights);

}  // namespace yardmaster
