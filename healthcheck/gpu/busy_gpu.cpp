#include "healthcheck/gpu/busy_gpu.hpp"

#include <algorithm>

#include "healthcheck/gpu/gpu_judge.hpp"

namespace yardmaster {
namespace {

bool is_busy(unsigned minor, const std::vector<GpuReading>& gpus) {
    const GpuReading* gpu = find_gpu(gpus, minor);
    return gpu != nullptr && gpu->processes.ok() && gpu->processes.value > 0;
}

}  // namespace

std::string describe_busy(const CheckScope& scope, const std::vector<GpuReading>& gpus) {
    std::string names;
    for (const unsigned minor : scope.gpus) {
        if (is_busy(minor, gpus)) {
            names += (names.empty() ? "" : ", ") + gpu_name(minor);
        }
    }
    return names.empty() ? ""
                         : "processes compute on " + names +
                               " already: other jobs share it, or one has left them behind";
}

CheckScope without_busy_rails(const CheckScope& scope, const std::vector<GpuReading>& gpus) {
    CheckScope quiet = scope;
    std::erase_if(quiet.rails, [&](const ExpectedRail& rail) {
        return std::any_of(rail.gpus.begin(), rail.gpus.end(), [&](unsigned minor) {
            return is_busy(minor, gpus);
        });
    });
    return quiet;
}

}  // namespace yardmaster
