// `yardmaster plan`: where would this job go? Offline, with the placer that slurmctld uses.
#pragma once

#include <cstdint>
#include <string>

#include "cli/console.hpp"

namespace yardmaster::cli {

struct PlanOptions {
    std::string fabric_file;
    std::uint32_t nodes = 1;
    std::uint32_t gpus_per_node = 0;
    std::string hints;      ///< "tp8&pp2"
    std::string busy;       ///< host list: not usable
    std::string part_used;  ///< host list: other jobs hold some GPUs there
    std::string nodelist;   ///< host list: must be chosen
    std::uint32_t candidates = 3;
    bool json = false;
};

/// 0: placed; 1: cannot be placed (now or ever); 2: bad options; 3: no readable fabric file.
ExitCode run_plan(const PlanOptions& options, const Console& console);

}  // namespace yardmaster::cli
