// NVML's binary interface, as far as it is used: nvml.h is not needed to build. Every declaration
// follows the NVML API reference guide (docs.nvidia.com/deploy/nvml-api) under the name it has
// there; enumerators are passed as the C type that the x86-64 and AArch64 ABIs give them, int.
#pragma once

#include <cstdint>

namespace yardmaster::nvml_abi {

using Return = int;    // nvmlReturn_t: NVML_SUCCESS = 0, further values in gpu_reading.hpp
using Device = void*;  // nvmlDevice_t: pointer to an opaque struct

constexpr unsigned kDriverVersionSize = 80;  // NVML_SYSTEM_DRIVER_VERSION_BUFFER_SIZE
constexpr unsigned kNameSize = 96;           // NVML_DEVICE_NAME_V2_BUFFER_SIZE
constexpr unsigned kUuidSize = 96;           // NVML_DEVICE_UUID_V2_BUFFER_SIZE

constexpr int kUncorrected = 1;  // nvmlMemoryErrorType_t: NVML_MEMORY_ERROR_TYPE_UNCORRECTED
constexpr int kVolatileEcc = 0;  // nvmlEccCounterType_t: NVML_VOLATILE_ECC

// nvmlPciInfo_t, as nvmlDeviceGetPciInfo_v3 fills it.
struct PciInfo {
    char bus_id_legacy[16];  // NVML_DEVICE_PCI_BUS_ID_BUFFER_V2_SIZE
    unsigned domain;
    unsigned bus;
    unsigned device;
    unsigned pci_device_id;
    unsigned pci_subsystem_id;
    char bus_id[32];  // NVML_DEVICE_PCI_BUS_ID_BUFFER_SIZE: "00000000:19:00.0"
};

// nvmlFieldValue_t. `value` is the union nvmlValue_t; which member holds is told by value_type.
struct FieldValue {
    unsigned field_id;  // NVML_FI_*
    unsigned scope_id;  // the link, for NVLink fields
    long long timestamp_us;
    long long latency_us;
    int value_type;  // nvmlValueType_t: k...Value
    Return code;
    union {
        double real;
        int signed_int;
        unsigned unsigned_int;
        unsigned long unsigned_long;
        unsigned long long unsigned_long_long;
        signed long long signed_long_long;
        unsigned short unsigned_short;
    } value;
};
static_assert(sizeof(FieldValue) == 40);

// nvmlValueType_t
constexpr int kDoubleValue = 0;
constexpr int kUnsignedIntValue = 1;
constexpr int kUnsignedLongValue = 2;
constexpr int kUnsignedLongLongValue = 3;
constexpr int kSignedLongLongValue = 4;
constexpr int kSignedIntValue = 5;
constexpr int kUnsignedShortValue = 6;

constexpr unsigned kSwitchLinksField = 147;     // NVML_FI_DEV_NVSWITCH_CONNECTED_LINK_COUNT
constexpr unsigned kRecoveryActionField = 230;  // NVML_FI_DEV_GET_GPU_RECOVERY_ACTION

constexpr unsigned kFabricUuidLength = 16;  // NVML_GPU_FABRIC_UUID_LEN

// nvmlGpuFabricInfo_t, the first one, for nvmlDeviceGetGpuFabricInfo: it has no version member.
struct FabricInfoV1 {
    unsigned char cluster_uuid[kFabricUuidLength];
    Return status;
    unsigned clique_id;
    unsigned char state;  // nvmlGpuFabricState_t
};
static_assert(sizeof(FabricInfoV1) == 28);

// nvmlGpuFabricInfo_v2_t, for nvmlDeviceGetGpuFabricInfoV.
struct FabricInfoV2 {
    unsigned version;  // struct_version
    unsigned char cluster_uuid[kFabricUuidLength];
    Return status;
    unsigned clique_id;
    unsigned char state;
    std::uint32_t health_mask;
};
static_assert(sizeof(FabricInfoV2) == 36);

// nvmlGpuFabricInfo_v3_t: version 2 with a member more at its end.
struct FabricInfoV3 {
    unsigned version;
    unsigned char cluster_uuid[kFabricUuidLength];
    Return status;
    unsigned clique_id;
    unsigned char state;
    std::uint32_t health_mask;
    unsigned char health_summary;  // NVML_GPU_FABRIC_HEALTH_SUMMARY_*
};
static_assert(sizeof(FabricInfoV3) == 40);

// NVML_STRUCT_VERSION: the size in the low bytes, the version in the highest.
template <typename Struct>
constexpr unsigned struct_version(unsigned version) {
    return static_cast<unsigned>(sizeof(Struct)) | version << 24;
}

constexpr int kInsufficientSize = 7;  // NVML_ERROR_INSUFFICIENT_SIZE

constexpr int kP2pNvlink = 2;  // nvmlGpuP2PCapsIndex_t: NVML_P2P_CAPS_INDEX_NVLINK

using InitFn = Return (*)();                                 // nvmlInit_v2
using ShutdownFn = Return (*)();                             // nvmlShutdown
using ErrorStringFn = const char* (*)(Return);               // nvmlErrorString
using DriverVersionFn = Return (*)(char*, unsigned);         // nvmlSystemGetDriverVersion
using DeviceCountFn = Return (*)(unsigned*);                 // nvmlDeviceGetCount_v2
using HandleByIndexFn = Return (*)(unsigned, Device*);       // nvmlDeviceGetHandleByIndex_v2
using MinorNumberFn = Return (*)(Device, unsigned*);         // nvmlDeviceGetMinorNumber
using NameFn = Return (*)(Device, char*, unsigned);          // nvmlDeviceGetName
using UuidFn = Return (*)(Device, char*, unsigned);          // nvmlDeviceGetUUID
using PciInfoFn = Return (*)(Device, PciInfo*);              // nvmlDeviceGetPciInfo_v3
using MigModeFn = Return (*)(Device, unsigned*, unsigned*);  // nvmlDeviceGetMigMode
using TotalEccFn = Return (*)(Device,
                              int,
                              int,
                              unsigned long long*);  // nvmlDeviceGetTotalEccErrors
// nvmlDeviceGetRemappedRows(device, corrRows, uncRows, isPending, failureOccurred)
using RemappedRowsFn = Return (*)(Device, unsigned*, unsigned*, unsigned*, unsigned*);
// nvmlDeviceGetNvLinkState(device, link, nvmlEnableState_t*): NVML_FEATURE_DISABLED 0, _ENABLED 1
using NvLinkStateFn = Return (*)(Device, unsigned, int*);
using FieldValuesFn = Return (*)(Device, int, FieldValue*);  // nvmlDeviceGetFieldValues
using FabricInfoFn = Return (*)(Device, FabricInfoV1*);      // nvmlDeviceGetGpuFabricInfo
using FabricInfoVFn = Return (*)(Device, void*);             // nvmlDeviceGetGpuFabricInfoV
// nvmlDeviceGetComputeRunningProcesses(device, infoCount, infos): with no room for infos it only
// counts, and so the versions of nvmlProcessInfo_t do not matter.
using ProcessesFn = Return (*)(Device, unsigned*, void*);
using PcieNumberFn = Return (*)(Device, unsigned*);         // nvmlDeviceGet...Pcie...
using P2pStatusFn = Return (*)(Device, Device, int, int*);  // nvmlDeviceGetP2PStatus
// nvmlDeviceGetCurrentClocksEventReasons; ...ClocksThrottleReasons before driver 535
using ClockReasonsFn = Return (*)(Device, unsigned long long*);

}  // namespace yardmaster::nvml_abi
