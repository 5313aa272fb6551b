#include <algorithm>

#include "healthcheck/gpu/busy_gpu.hpp"
#include "healthcheck/gpu/gpu_judge.hpp"
#include "healthcheck/nccl/nccl_task.hpp"

namespace yardmaster {
namespace {

bool has_switches(const GpuReading& gpu) {
    return gpu.nvlink.switch_links.ok() && gpu.nvlink.switch_links.value > 0;
}

/// Simulated GPUs have no driver behind them but a simulated one.
bool real_driver_of_simulated(const NvmlReading& nvml, const NcclPolicy& policy) {
    return nvml.driver.find("SIMULATED") != std::string::npos &&
           policy.cuda_library == NcclPolicy{}.cuda_library;
}

std::string why_not(const CheckScope& scope,
                    const NcclPolicy& policy,
                    const NvmlReading& nvml,
                    const std::vector<const GpuReading*>& gpus) {
    const bool mig = scope.mig || std::any_of(gpus.begin(), gpus.end(), [](const GpuReading* gpu) {
                         return gpu != nullptr && gpu->mig_mode.ok() && gpu->mig_mode.value == 1;
                     });
    if (mig) {
        return "the job runs on MIG slices, which no all-reduce joins";
    }
    if (gpus.size() < 2) {
        return "the job has one GPU here: there is nothing to all-reduce between";
    }
    const bool unknown = std::any_of(gpus.begin(), gpus.end(), [](const GpuReading* gpu) {
        return gpu == nullptr || gpu->uuid.empty();
    });
    if (unknown) {
        return "the UUIDs of the job's GPUs are not known";
    }
    return real_driver_of_simulated(nvml, policy)
               ? "the GPUs are simulated, health.nccl.cuda_library is not"
               : "";
}

void name_gpus(const std::vector<const GpuReading*>& gpus, NcclReading& reading) {
    reading.model = gpus.front()->model;
    reading.uuids.clear();  // a plan may be made anew
    reading.set.clear();
    const bool alike = std::all_of(
        gpus.begin(), gpus.end(), [](const GpuReading* gpu) { return has_switches(*gpu); });
    for (const GpuReading* gpu : gpus) {
        reading.uuids.push_back(gpu->uuid);
        if (!alike) {
            reading.set += (reading.set.empty() ? "" : ",") + std::to_string(gpu->minor.value);
        }
    }
}

}  // namespace

bool plan_nccl(const CheckScope& scope,
               const CheckSources& sources,
               const NvmlReading& nvml,
               const std::vector<GpuReading>& gpus,
               NcclReading& reading) {
    const NcclPolicy& policy = sources.nccl;
    if (policy.mode == CheckMode::kOff || scope.gpus.empty()) {
        return false;
    }
    reading.asked = true;
    reading.needed = policy.mode == CheckMode::kOn;
    reading.max_loss = policy.max_loss;
    reading.min_share = policy.min_share;
    reading.driver = nvml.driver;
    std::vector<const GpuReading*> own;
    for (const unsigned minor : scope.gpus) {
        own.push_back(find_gpu(gpus, minor));
    }
    reading.not_run = why_not(scope, policy, nvml, own);
    if (!reading.not_run.empty()) {
        return false;
    }
    reading.not_run = describe_busy(scope, gpus);
    if (!reading.not_run.empty()) {
        return false;
    }
    name_gpus(own, reading);
    reading.shared_ways = !reading.set.empty() && own.size() < nvml.device_count.value;
    return true;
}

}  // namespace yardmaster
