// Judges whether GPUs have joined their NVLink fabric, and whether they joined the same one.
#pragma once

#include <string>
#include <vector>

#include "healthcheck/gpu/gpu_reading.hpp"
#include "healthcheck/nvlink/model_table.hpp"
#include "healthcheck/scope.hpp"
#include "healthcheck/verdict.hpp"

namespace yardmaster {

/// Findings for the GPU that is called `name` and whose model registers with `expected`. A
/// registration under way is unknown; none is normal on a board without NVSwitch.
void judge_fabric(const std::string& name,
                  const GpuReading& gpu,
                  NvlinkFabric expected,
                  std::vector<Finding>& findings);

/// All GPUs of the job on one node sit in one clique of one cluster. Where they do not, those are
/// named that differ from the most common place on this node.
void judge_fabric_place(const CheckScope& scope,
                        const std::vector<GpuReading>& gpus,
                        std::vector<Finding>& findings);

}  // namespace yardmaster
