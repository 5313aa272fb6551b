// NVML's binary interface, as far as it is used: nvml.h is not needed to build. Every declaration
// follows the NVML API reference guide (docs.nvidia.com/deploy/nvml-api) under the name it has
// there; enumerators are passed as the C type that the x86-64 and AArch64 ABIs give them, int.
#pragma once

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

}  // namespace yardmaster::nvml_abi
