// What NVML says of the node's GPUs, unjudged.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace yardmaster {

/// nvmlReturn_t values that a judgement depends on (NVML API reference, "Enumerator nvmlReturn_t").
enum NvmlCode : int {
    kNvmlSuccess = 0,
    kNvmlInvalidArgument = 2,
    kNvmlNotSupported = 3,
    kNvmlFunctionNotFound = 13,
    kNvmlGpuIsLost = 15,
    kNvmlResetRequired = 16,
    kNvmlUnknown = 999,
};

/// A number, or the NVML error that stood in its place.
struct NvmlNumber {
    int code = kNvmlUnknown;  ///< nvmlReturn_t
    std::uint64_t value = 0;  ///< meaningful only when code is kNvmlSuccess
    bool ok() const { return code == kNvmlSuccess; }
    bool operator==(const NvmlNumber&) const = default;
};

/// The library and the driver below it.
struct NvmlReading {
    bool loaded = false;      ///< dlopen and nvmlInit_v2 succeeded
    std::string error;        ///< why not
    std::string driver;       ///< nvmlSystemGetDriverVersion, e.g. "550.54.15"
    NvmlNumber device_count;  ///< nvmlDeviceGetCount_v2
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
    /// [link] nvmlDeviceGetNvLinkState: value 1 active, 0 inactive. Links that the device does not
    /// have answer with kNvmlNotSupported or kNvmlInvalidArgument.
    std::vector<NvmlNumber> nvlinks;
};

}  // namespace yardmaster
