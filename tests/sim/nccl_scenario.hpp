// What the fake CUDA driver and NCCL do: DIR/nccl/nccl.json, written by ym-sim-node, read by the
// libraries. GPUs are those of DIR/nvml/scenario.json.
#pragma once

#include <string>

#include "base/json.hpp"

namespace yardmaster::sim {

struct NcclScenario {
    /// busbw of all-reduce in GB/s is peak * size / (size + half_mib) * share, and noise.
    double peak = 480;
    double half_mib = 40;
    double share = 1;     ///< 0.85 is a loss of 15 %
    double noise = 0.01;  ///< standard deviation of one window, as a share of it
    double dips = 0;      ///< share of windows that lose a third
    unsigned seed = 0;    ///< of noise and dips; 0: another one in each run
    double init_ms = 20;  ///< ncclCommInitAll sleeps this long
    /// "": none. "802": cuInit fails so; "nvls": ncclCommInitAll fails; "nvls-warning": it warns,
    /// and a quarter of the bandwidth is missing; "hang-init" and "hang-run": never come back;
    /// "wrong-sums"; "no-memory"; "other-gpus": CUDA shows them in another order.
    std::string fault;
    int cuda_version = 12040;
    int nccl_version = 22809;
};

/// The healthy scenario of a hardware model of model.hpp.
NcclScenario healthy_nccl(const std::string& model);

Result<NcclScenario> load_nccl_scenario(const std::string& file);
/// Replaces `file` whole.
Status save_nccl_scenario(const NcclScenario& scenario, const std::string& file);

}  // namespace yardmaster::sim
