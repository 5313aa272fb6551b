// A libnvidia-ml.so.1 for machines without GPUs. It answers from the scenario.json that lies in the
// folder of the path it was loaded by, so that many nodes can share one built file through links.
#include <dlfcn.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <thread>

#include "healthcheck/gpu/gpu_reading.hpp"
#include "healthcheck/gpu/nvml_abi.hpp"
#include "tests/sim/scenario.hpp"

#define YM_EXPORT extern "C" __attribute__((visibility("default")))

namespace {

using namespace yardmaster;  // NOLINT: this file is the library's whole inside
using sim::SimGpu;

constexpr int kInsufficientSize = 7;  // NVML_ERROR_INSUFFICIENT_SIZE
constexpr int kDriverNotLoaded = 9;   // NVML_ERROR_DRIVER_NOT_LOADED

sim::Scenario scenario;       // filled by nvmlInit_v2
std::vector<SimGpu*> listed;  // [NVML index]

std::string scenario_file() {
    Dl_info info{};
    dladdr(reinterpret_cast<void*>(&scenario_file), &info);
    return std::filesystem::path(info.dli_fname).parent_path() / "scenario.json";
}

SimGpu* gpu_of(nvml_abi::Device device) {
    return static_cast<SimGpu*>(device);
}

int give_text(const std::string& text, char* buffer, unsigned size) {
    if (text.size() >= size) {
        return kInsufficientSize;
    }
    std::strcpy(buffer, text.c_str());
    return kNvmlSuccess;
}

/// Runs `answer(gpu)` unless the GPU is lost.
template <typename Answer>
int with_gpu(nvml_abi::Device device, Answer answer) {
    SimGpu* gpu = gpu_of(device);
    if (gpu == nullptr) {
        return kNvmlInvalidArgument;
    }
    return gpu->lost ? int{kNvmlGpuIsLost} : answer(*gpu);
}

}  // namespace

YM_EXPORT int nvmlInit_v2() {
    auto loaded = sim::load_scenario(scenario_file());
    if (!loaded) {
        return kDriverNotLoaded;
    }
    scenario = std::move(loaded).value();
    listed.clear();
    for (SimGpu& gpu : scenario.gpus) {
        if (!gpu.missing) {
            listed.push_back(&gpu);
        }
    }
    std::this_thread::sleep_for(std::chrono::duration<double>(scenario.hang_s));
    return scenario.init_code;
}

YM_EXPORT int nvmlShutdown() {
    return kNvmlSuccess;
}

YM_EXPORT const char* nvmlErrorString(int code) {
    return code == kDriverNotLoaded ? "Driver Not Loaded" : "Simulated error";
}

YM_EXPORT int nvmlSystemGetDriverVersion(char* version, unsigned size) {
    return give_text(scenario.driver, version, size);
}

YM_EXPORT int nvmlDeviceGetCount_v2(unsigned* count) {
    *count = static_cast<unsigned>(listed.size());
    return kNvmlSuccess;
}

YM_EXPORT int nvmlDeviceGetHandleByIndex_v2(unsigned index, nvml_abi::Device* device) {
    if (index >= listed.size()) {
        return kNvmlInvalidArgument;
    }
    *device = listed[index];
    return listed[index]->lost ? kNvmlGpuIsLost : kNvmlSuccess;
}

YM_EXPORT int nvmlDeviceGetMinorNumber(nvml_abi::Device device, unsigned* minor) {
    return with_gpu(device, [&](SimGpu& gpu) {
        *minor = gpu.minor;
        return int{kNvmlSuccess};
    });
}

YM_EXPORT int nvmlDeviceGetName(nvml_abi::Device device, char* name, unsigned size) {
    return with_gpu(device, [&](SimGpu& gpu) { return give_text(gpu.model, name, size); });
}

YM_EXPORT int nvmlDeviceGetUUID(nvml_abi::Device device, char* uuid, unsigned size) {
    return with_gpu(device, [&](SimGpu& gpu) { return give_text(gpu.uuid, uuid, size); });
}

YM_EXPORT int nvmlDeviceGetPciInfo_v3(nvml_abi::Device device, nvml_abi::PciInfo* info) {
    return with_gpu(device, [&](SimGpu& gpu) {
        *info = {};
        return give_text(gpu.pci, info->bus_id, sizeof info->bus_id);
    });
}

YM_EXPORT int nvmlDeviceGetMigMode(nvml_abi::Device device, unsigned* current, unsigned* pending) {
    return with_gpu(device, [&](SimGpu&) {
        *current = 0;
        *pending = 0;
        return int{kNvmlSuccess};
    });
}

YM_EXPORT int nvmlDeviceGetTotalEccErrors(nvml_abi::Device device,
                                          int error_type,
                                          int counter_type,
                                          unsigned long long* count) {
    return with_gpu(device, [&](SimGpu& gpu) {
        const bool asked =
            error_type == nvml_abi::kUncorrected && counter_type == nvml_abi::kVolatileEcc;
        *count = asked ? gpu.ecc_uncorrected : 0;
        return int{kNvmlSuccess};
    });
}

YM_EXPORT int nvmlDeviceGetRemappedRows(nvml_abi::Device device,
                                        unsigned* correctable,
                                        unsigned* uncorrectable,
                                        unsigned* pending,
                                        unsigned* failed) {
    return with_gpu(device, [&](SimGpu& gpu) {
        *correctable = 0;
        *uncorrectable = gpu.remap_pending || gpu.remap_failed ? 1 : 0;
        *pending = gpu.remap_pending ? 1 : 0;
        *failed = gpu.remap_failed ? 1 : 0;
        return int{kNvmlSuccess};
    });
}

YM_EXPORT int nvmlDeviceGetNvLinkState(nvml_abi::Device device, unsigned link, int* active) {
    return with_gpu(device, [&](SimGpu& gpu) {
        if (link >= gpu.links) {
            return int{kNvmlNotSupported};
        }
        const auto& down = gpu.links_down;
        *active = std::find(down.begin(), down.end(), link) == down.end() ? 1 : 0;
        return int{kNvmlSuccess};
    });
}
