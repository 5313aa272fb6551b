// What the fake NVML library answers: scenario.json, written by ym-sim-node, read by the library.
#pragma once

#include <string>
#include <vector>

#include "base/json.hpp"

namespace yardmaster::sim {

struct SimGpu {
    unsigned minor = 0;  ///< N of /dev/nvidiaN; the place in Scenario::gpus is the NVML index
    std::string model;
    std::string uuid;
    std::string pci;
    unsigned links = 0;                ///< NVLinks the model has; further ones are "not supported"
    std::vector<unsigned> links_down;  ///< inactive links
    bool lost = false;                 ///< its handle answers "GPU is lost"
    bool missing = false;              ///< not counted, as after a reboot without it
    unsigned ecc_uncorrected = 0;
    bool remap_pending = false;
    bool remap_failed = false;
};

struct Scenario {
    std::string driver = "550.54.15 SIMULATED";
    double hang_s = 0;  ///< nvmlInit_v2 sleeps this long
    int init_code = 0;  ///< nvmlInit_v2 returns this nvmlReturn_t
    std::vector<SimGpu> gpus;
};

Result<Scenario> load_scenario(const std::string& file);
/// Replaces `file` whole.
Status save_scenario(const Scenario& scenario, const std::string& file);

}  // namespace yardmaster::sim
