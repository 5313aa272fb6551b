// What the fake NVML library answers: scenario.json, written by ym-sim-node, read by the library.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/json.hpp"
#include "healthcheck/nvlink/nvlink_reading.hpp"

namespace yardmaster::sim {

/// What nvmlDeviceGetGpuFabricInfoV answers, in the structures that Scenario allows.
struct SimFabric {
    int code = 0;  ///< nvmlReturn_t of the call
    unsigned state = 0;
    int status = 0;
    unsigned clique = 0;
    std::string cluster_uuid;
    unsigned health = 0;
    unsigned summary = 0;
};

/// One NVLink field of one link that is not 0.
struct SimLinkField {
    unsigned id = 0;
    unsigned link = 0;
    std::uint64_t value = 0;
};

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
    bool mig = false;
    unsigned recovery_action = 0;
    std::uint64_t clock_reasons = 1;  ///< idle
    unsigned pcie_width = 16;
    unsigned pcie_generation_max = 5;
    unsigned pcie_replays = 0;
    unsigned processes = 0;     ///< that compute on it
    unsigned switch_links = 0;  ///< links that lead to NVSwitches
    bool nvlink5 = false;       ///< answers Blackwell's link fields, else those up to Hopper
    SimFabric fabric;
    std::vector<SimLinkField> link_fields;
    std::vector<unsigned> no_path;  ///< NVML indices of GPUs that NVLink does not lead to
};

struct Scenario {
    std::string driver = "550.54.15 SIMULATED";
    double hang_s = 0;  ///< nvmlInit_v2 sleeps this long
    int init_code = 0;  ///< nvmlInit_v2 returns this nvmlReturn_t
    /// Newest fabric structure that the library takes; 0: it has no such functions.
    unsigned fabric_version = 3;
    /// As a library of before driver 565: field 230 and NVLink fields are not known.
    bool old_fields = false;
    std::vector<SimGpu> gpus;
};

Result<Scenario> load_scenario(const std::string& file);
/// Replaces `file` whole.
Status save_scenario(const Scenario& scenario, const std::string& file);

}  // namespace yardmaster::sim
