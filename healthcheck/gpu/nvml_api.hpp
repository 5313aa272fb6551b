// The part of NVML that the checks use, behind an interface: the library is only ever loaded at run
// time, and a node without it is a node whose GPUs are unknown.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "healthcheck/gpu/gpu_reading.hpp"

namespace yardmaster {

/// An opaque nvmlDevice_t; valid until the NvmlApi that gave it goes.
using NvmlDevice = void*;

/// A field that is asked for: NVML_FI_* and, for NVLink fields, the link.
struct NvmlField {
    unsigned id = 0;
    unsigned scope = 0;
    NvmlNumber number = kNumberNotRead;  ///< the answer; a negative value reads as 0
};

/// Which number of a PCIe link.
enum class NvmlPcie { kWidth, kWidthMax, kGeneration, kGenerationMax, kReplays };

/// Thin calls, one per NVML function; each returns what NVML returned (kNvmlFunctionNotFound when
/// the installed library lacks it). Any call may block for as long as the driver does: use them
/// only in a child that can be killed. Not thread-safe.
class NvmlApi {
  public:
    virtual ~NvmlApi() = default;
    /// nvmlInit_v2. On failure `error` says what went wrong, also when the library is absent.
    virtual int init(std::string& error) = 0;
    virtual int driver_version(std::string& version) = 0;        ///< nvmlSystemGetDriverVersion
    virtual int device_count(unsigned& count) = 0;               ///< nvmlDeviceGetCount_v2
    virtual int device(unsigned index, NvmlDevice& device) = 0;  ///< ...GetHandleByIndex_v2
    virtual int minor_number(NvmlDevice device, unsigned& minor) = 0;  ///< nvmlDeviceGetMinorNumber
    virtual int name(NvmlDevice device, std::string& name) = 0;        ///< nvmlDeviceGetName
    virtual int uuid(NvmlDevice device, std::string& uuid) = 0;        ///< nvmlDeviceGetUUID
    virtual int pci_bus_id(NvmlDevice device, std::string& id) = 0;    ///< nvmlDeviceGetPciInfo_v3
    virtual int mig_mode(NvmlDevice device, unsigned& current) = 0;    ///< nvmlDeviceGetMigMode
    /// nvmlDeviceGetTotalEccErrors with NVML_MEMORY_ERROR_TYPE_UNCORRECTED and NVML_VOLATILE_ECC.
    virtual int ecc_uncorrected(NvmlDevice device, std::uint64_t& count) = 0;
    /// nvmlDeviceGetRemappedRows; `pending` and `failed` are 0 or 1.
    virtual int remapped_rows(NvmlDevice device, unsigned& pending, unsigned& failed) = 0;
    /// nvmlDeviceGetNvLinkState; `active` is 0 or 1.
    virtual int nvlink_state(NvmlDevice device, unsigned link, unsigned& active) = 0;
    /// nvmlDeviceGetFieldValues; when the call fails as a whole, so do all `fields`. Ask for fields
    /// of one kind at a time: drivers are known to fail fields that are mixed with NVLink counters
    /// (github.com/NVIDIA/dcgm-exporter/issues/581).
    virtual int field_values(NvmlDevice device, std::vector<NvmlField>& fields) = 0;
    /// nvmlDeviceGetGpuFabricInfoV with the newest structure that the library takes, or
    /// nvmlDeviceGetGpuFabricInfo where it lacks that.
    virtual int fabric_info(NvmlDevice device, FabricReading& fabric) = 0;
    virtual int pcie(NvmlDevice device, NvmlPcie which, unsigned& value) = 0;
    /// nvmlDeviceGetCurrentClocksEventReasons, or under its older name ...ThrottleReasons.
    virtual int clock_reasons(NvmlDevice device, std::uint64_t& reasons) = 0;
    /// How many there are, by nvmlDeviceGetComputeRunningProcesses.
    virtual int compute_processes(NvmlDevice device, unsigned& count) = 0;
    /// nvmlDeviceGetP2PStatus with NVML_P2P_CAPS_INDEX_NVLINK.
    virtual int p2p_nvlink(NvmlDevice from, NvmlDevice to, unsigned& status) = 0;
};

/// NVML from `library` (a name or a path for dlopen). Loading is put off to init().
std::unique_ptr<NvmlApi> make_nvml(const std::string& library);

/// An NVML that is not there: init() fails with `reason`, and so does every call.
std::unique_ptr<NvmlApi> make_absent_nvml(const std::string& reason);

}  // namespace yardmaster
