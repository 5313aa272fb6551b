// Judges whether NVLink really leads from each GPU of the job to each other.
#pragma once

#include <vector>

#include "healthcheck/gpu/gpu_reading.hpp"
#include "healthcheck/scope.hpp"
#include "healthcheck/verdict.hpp"

namespace yardmaster {

/// Findings for GPUs of the job that NVLink does not join to others of the job, on models that
/// promise it. The driver's word on each pair (nvmlDeviceGetP2PStatus) is taken, which is also what
/// CUDA goes by: link states cannot tell (all links of a GPU may be up while the NVSwitches have no
/// route for it), and the remote end of a link is only ever the NVSwitch. `nvidia-smi topo -m`
/// shows such a GPU with SYS where NV18 belongs.
///
/// Of a bad pair the one with more bad pairs is named, other jobs' GPUs counted as witnesses. It is
/// certain only where some other pair of the node is joined: when none is, peer access may be
/// switched off for the whole machine on purpose.
std::vector<Finding> judge_peers(const CheckScope& scope, const std::vector<GpuReading>& gpus);

}  // namespace yardmaster
