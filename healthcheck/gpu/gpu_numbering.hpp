// From the numbers that a scope gives its GPUs to device minors.
#pragma once

#include <vector>

#include "healthcheck/gpu/gpu_reading.hpp"
#include "healthcheck/scope.hpp"
#include "healthcheck/verdict.hpp"

namespace yardmaster {

struct NumberedScope {
    CheckScope scope;  ///< its GPUs as minors; none of them where the mapping cannot be had
    std::vector<Finding> findings;  ///< unknown: why the mapping cannot be had
};

/// Turns `scope.gpus`, and the GPUs of its rails, into minors, by what NVML says of the node's
/// GPUs. A job that has all GPUs of the node needs no mapping: whatever the order, these are all.
NumberedScope number_by_minor(const CheckScope& scope,
                              const NvmlReading& nvml,
                              const std::vector<GpuReading>& gpus);

}  // namespace yardmaster
