// What the parts of the fake NVML library share.
#pragma once

#include <string>
#include <vector>

#include "healthcheck/gpu/gpu_reading.hpp"
#include "healthcheck/gpu/nvml_abi.hpp"
#include "tests/sim/scenario.hpp"

#define YM_EXPORT extern "C" __attribute__((visibility("default")))

namespace yardmaster::sim {

/// Filled by nvmlInit_v2.
extern Scenario scenario;
extern std::vector<SimGpu*> listed;  ///< [NVML index]

/// Runs `answer(gpu)` unless the GPU is lost.
template <typename Answer>
int with_gpu(nvml_abi::Device device, Answer answer) {
    SimGpu* gpu = static_cast<SimGpu*>(device);
    if (gpu == nullptr) {
        return kNvmlInvalidArgument;
    }
    return gpu->lost ? int{kNvmlGpuIsLost} : answer(*gpu);
}

/// The same for an answer that always succeeds with one number.
template <typename Number, typename Value>
int give_number(nvml_abi::Device device, Number* number, Value value) {
    return with_gpu(device, [&](SimGpu& gpu) {
        *number = static_cast<Number>(value(gpu));
        return int{kNvmlSuccess};
    });
}

}  // namespace yardmaster::sim
