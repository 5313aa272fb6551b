// `yardmaster plan`: where would this job go? With the placer that slurmctld uses, on paper or
// on the live cluster.
#pragma once

#include <cstdint>
#include <string>

#include "cli/console.hpp"
#include "cli/slurm_client.hpp"

namespace yardmaster::cli {

struct PlanOptions {
    std::string fabric_file;
    std::uint32_t nodes = 1;
    std::uint32_t gpus_per_node = 0;
    std::string hints;        ///< "tp8&pp2"
    std::string busy;         ///< host list: not usable
    std::string part_used;    ///< host list: other jobs hold some GPUs there
    std::string nodelist;     ///< host list: must be chosen
    std::string policy_file;  ///< "": yardmaster.json beside slurm.conf, where there is one
    std::uint32_t candidates = 3;
    bool live = false;     ///< what is taken now comes from slurmctld
    bool what_if = false;  ///< compare with an empty fabric
    bool json = false;
};

/// 0: placed; 1: cannot be placed (now or ever); 2: bad options; 3: a file cannot be read, or the
/// controller does not answer. `slurm` is used with `live` only, else may be null.
ExitCode run_plan(const PlanOptions& options, SlurmClient* slurm, const Console& console);

}  // namespace yardmaster::cli
