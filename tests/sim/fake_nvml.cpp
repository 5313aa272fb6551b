// A libnvidia-ml.so.1 for machines without GPUs. It answers from the scenario.json that lies in the
// folder of the path it was loaded by, so that many nodes can share one built file through links.
#include "tests/sim/fake_nvml.hpp"

#include <dlfcn.h>

#include <chrono>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <thread>

namespace yardmaster::sim {

Scenario scenario;
std::vector<SimGpu*> listed;

}  // namespace yardmaster::sim

namespace {

using namespace yardmaster;       // NOLINT: this file is the library's inside
using namespace yardmaster::sim;  // NOLINT

constexpr int kInsufficientSize = 7;  // NVML_ERROR_INSUFFICIENT_SIZE
constexpr int kDriverNotLoaded = 9;   // NVML_ERROR_DRIVER_NOT_LOADED

std::string scenario_file() {
    Dl_info info{};
    dladdr(reinterpret_cast<void*>(&scenario_file), &info);
    return std::filesystem::path(info.dli_fname).parent_path() / "scenario.json";
}

int give_text(const std::string& text, char* buffer, unsigned size) {
    if (text.size() >= size) {
        return kInsufficientSize;
    }
    std::strcpy(buffer, text.c_str());
    return kNvmlSuccess;
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
    return give_number(device, minor, [](SimGpu& gpu) { return gpu.minor; });
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
    return with_gpu(device, [&](SimGpu& gpu) {
        *current = gpu.mig ? 1 : 0;
        *pending = *current;
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

YM_EXPORT int nvmlDeviceGetCurrPcieLinkWidth(nvml_abi::Device device, unsigned* width) {
    return give_number(device, width, [](SimGpu& gpu) { return gpu.pcie_width; });
}

YM_EXPORT int nvmlDeviceGetMaxPcieLinkWidth(nvml_abi::Device device, unsigned* width) {
    return give_number(device, width, [](SimGpu&) { return 16; });
}

YM_EXPORT int nvmlDeviceGetCurrPcieLinkGeneration(nvml_abi::Device device, unsigned* generation) {
    return give_number(device, generation, [](SimGpu&) { return 1; });  // idle
}

YM_EXPORT int nvmlDeviceGetMaxPcieLinkGeneration(nvml_abi::Device device, unsigned* generation) {
    return give_number(device, generation, [](SimGpu& gpu) { return gpu.pcie_generation_max; });
}

YM_EXPORT int nvmlDeviceGetPcieReplayCounter(nvml_abi::Device device, unsigned* replays) {
    return give_number(device, replays, [](SimGpu& gpu) { return gpu.pcie_replays; });
}

YM_EXPORT int nvmlDeviceGetCurrentClocksEventReasons(nvml_abi::Device device,
                                                     unsigned long long* reasons) {
    return give_number(device, reasons, [](SimGpu& gpu) { return gpu.clock_reasons; });
}

YM_EXPORT int nvmlDeviceGetComputeRunningProcesses_v3(nvml_abi::Device device,
                                                      unsigned* count,
                                                      void* /*infos*/) {
    return with_gpu(device, [&](SimGpu& gpu) {
        const bool room = *count >= gpu.processes;
        *count = gpu.processes;
        return room ? int{kNvmlSuccess} : kInsufficientSize;
    });
}
