// What NVML says of the node's GPUs, unjudged.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "healthcheck/gpu/nvml_number.hpp"
#include "healthcheck/nvlink/nvlink_reading.hpp"

namespace yardmaster {

/// The library and the driver below it.
struct NvmlReading {
    bool loaded = false;      ///< dlopen and nvmlInit_v2 succeeded
    std::string error;        ///< why not
    std::string driver;       ///< nvmlSystemGetDriverVersion, e.g. "550.54.15"
    NvmlNumber device_count;  ///< nvmlDeviceGetCount_v2
};

/// A GPU's PCIe link.
struct GpuPcieReading {
    NvmlNumber width = kNumberNotRead;       ///< lanes now (nvmlDeviceGetCurrPcieLinkWidth)
    NvmlNumber width_max = kNumberNotRead;   ///< of GPU and slot (nvmlDeviceGetMaxPcieLinkWidth)
    NvmlNumber generation = kNumberNotRead;  ///< now; drops at idle, by design
    NvmlNumber generation_max = kNumberNotRead;  ///< of GPU and slot
    NvmlNumber replays = kNumberNotRead;         ///< since the driver was loaded
    bool operator==(const GpuPcieReading&) const = default;
};

/// One NVML device.
struct GpuReading {
    unsigned index = 0;  ///< NVML index (PCI order; not the gres index)
    int handle_code =
        kNvmlUnknown;     ///< of nvmlDeviceGetHandleByIndex_v2; not success: nothing read
    NvmlNumber minor;     ///< nvmlDeviceGetMinorNumber: the N of /dev/nvidiaN
    std::string model;    ///< nvmlDeviceGetName, "NVIDIA H100 80GB HBM3"; "" when unreadable
    std::string uuid;     ///< "GPU-..."; "" when unreadable
    std::string pci;      ///< "00000000:19:00.0"; "" when unreadable
    NvmlNumber mig_mode;  ///< nvmlDeviceGetMigMode, current: 1 enabled
    /// Uncorrected ECC errors since the driver was loaded (nvmlDeviceGetTotalEccErrors, volatile).
    NvmlNumber ecc_uncorrected;
    NvmlNumber remap_pending;  ///< nvmlDeviceGetRemappedRows: 1 when a row waits for a GPU reset
    NvmlNumber remap_failed;   ///< same call: 1 when a row could not be remapped
    /// NVML_FI_DEV_GET_GPU_RECOVERY_ACTION: 0 none, 1 reset, 2 reboot the node, 3 drain P2P, 4
    /// drain P2P and reset.
    NvmlNumber recovery_action = kNumberNotRead;
    /// nvmlDeviceGetCurrentClocksEventReasons: bits of nvmlClocksEventReasons.
    NvmlNumber clock_reasons = kNumberNotRead;
    /// Processes that compute on it now (nvmlDeviceGetComputeRunningProcesses).
    NvmlNumber processes = kNumberNotRead;
    GpuPcieReading pcie;
    /// [link] nvmlDeviceGetNvLinkState: value 1 active, 0 inactive. Links that the device does not
    /// have answer with kNvmlNotSupported or kNvmlInvalidArgument.
    std::vector<NvmlNumber> nvlinks;
    NvlinkReading nvlink;
};

}  // namespace yardmaster
