#include "healthcheck/gpu/nvml_functions.hpp"

#include <dlfcn.h>

namespace yardmaster {
namespace {

template <typename Function>
void find(void* library, const char* symbol, Function& function) {
    function = reinterpret_cast<Function>(dlsym(library, symbol));
}

void find_pcie(void* library, NvmlFunctions& f) {
    find(library, "nvmlDeviceGetCurrPcieLinkWidth", f.pcie_width);
    find(library, "nvmlDeviceGetMaxPcieLinkWidth", f.pcie_width_max);
    find(library, "nvmlDeviceGetCurrPcieLinkGeneration", f.pcie_generation);
    find(library, "nvmlDeviceGetMaxPcieLinkGeneration", f.pcie_generation_max);
    find(library, "nvmlDeviceGetPcieReplayCounter", f.pcie_replays);
}

void find_nvlink(void* library, NvmlFunctions& f) {
    find(library, "nvmlDeviceGetNvLinkState", f.nvlink_state);
    find(library, "nvmlDeviceGetGpuFabricInfo", f.fabric_info);
    find(library, "nvmlDeviceGetGpuFabricInfoV", f.fabric_info_v);
    find(library, "nvmlDeviceGetP2PStatus", f.p2p_status);
}

void find_clock_reasons(void* library, NvmlFunctions& f) {
    find(library, "nvmlDeviceGetCurrentClocksEventReasons", f.clock_reasons);
    if (f.clock_reasons == nullptr) {
        find(library, "nvmlDeviceGetCurrentClocksThrottleReasons", f.clock_reasons);
    }
}

/// The newest that the library has: 510, 450 and older drivers.
void find_processes(void* library, NvmlFunctions& f) {
    for (const char* symbol : {"nvmlDeviceGetComputeRunningProcesses_v3",
                               "nvmlDeviceGetComputeRunningProcesses_v2",
                               "nvmlDeviceGetComputeRunningProcesses"}) {
        if (f.processes == nullptr) {
            find(library, symbol, f.processes);
        }
    }
}

}  // namespace

NvmlFunctions find_nvml_functions(void* library) {
    NvmlFunctions f;
    find(library, "nvmlInit_v2", f.init);
    find(library, "nvmlShutdown", f.shutdown);
    find(library, "nvmlErrorString", f.error_string);
    find(library, "nvmlSystemGetDriverVersion", f.driver_version);
    find(library, "nvmlDeviceGetCount_v2", f.device_count);
    find(library, "nvmlDeviceGetHandleByIndex_v2", f.handle_by_index);
    find(library, "nvmlDeviceGetMinorNumber", f.minor_number);
    find(library, "nvmlDeviceGetName", f.name);
    find(library, "nvmlDeviceGetUUID", f.uuid);
    find(library, "nvmlDeviceGetPciInfo_v3", f.pci_info);
    find(library, "nvmlDeviceGetMigMode", f.mig_mode);
    find(library, "nvmlDeviceGetTotalEccErrors", f.total_ecc);
    find(library, "nvmlDeviceGetRemappedRows", f.remapped_rows);
    find(library, "nvmlDeviceGetFieldValues", f.field_values);
    find_pcie(library, f);
    find_nvlink(library, f);
    find_clock_reasons(library, f);
    find_processes(library, f);
    return f;
}

}  // namespace yardmaster
