// The CUDA driver's binary interface, as far as it is used: cuda.h is not needed to build. Every
// declaration follows NVIDIA's CUDA Driver API reference (docs.nvidia.com/cuda/cuda-driver-api)
// under the name it has there; enumerators are passed as the C type that the x86-64 and AArch64
// ABIs give them, int. Where cuda.h is found, header_check.cpp compares it with this file.
#pragma once

#include <cstddef>

namespace yardmaster::cuda_abi {

using Return = int;  // CUresult
using Device = int;  // CUdevice
using Context = void*;
using Stream = void*;
using Event = void*;
using Pointer = unsigned long long;  // CUdeviceptr

// CUuuid
struct Uuid {
    char bytes[16];
};

constexpr Return kSuccess = 0;
constexpr Return kOutOfMemory = 2;          // CUDA_ERROR_OUT_OF_MEMORY
constexpr Return kNotFound = 500;           // CUDA_ERROR_NOT_FOUND
constexpr Return kNotReady = 600;           // CUDA_ERROR_NOT_READY
constexpr Return kSystemNotReady = 802;     // CUDA_ERROR_SYSTEM_NOT_READY
constexpr unsigned kStreamNonBlocking = 1;  // CU_STREAM_NON_BLOCKING
constexpr unsigned kEventDefault = 0;       // CU_EVENT_DEFAULT

using InitFn = Return (*)(unsigned);                           // cuInit
using DriverVersionFn = Return (*)(int*);                      // cuDriverGetVersion
using ErrorTextFn = Return (*)(Return, const char**);          // cuGetErrorName, cuGetErrorString
using DeviceCountFn = Return (*)(int*);                        // cuDeviceGetCount
using DeviceFn = Return (*)(Device*, int);                     // cuDeviceGet
using DeviceNameFn = Return (*)(char*, int, Device);           // cuDeviceGetName
using DeviceUuidFn = Return (*)(Uuid*, Device);                // cuDeviceGetUuid
using RetainFn = Return (*)(Context*, Device);                 // cuDevicePrimaryCtxRetain
using ReleaseFn = Return (*)(Device);                          // cuDevicePrimaryCtxRelease_v2
using SetCurrentFn = Return (*)(Context);                      // cuCtxSetCurrent
using AllocateFn = Return (*)(Pointer*, std::size_t);          // cuMemAlloc_v2
using FreeFn = Return (*)(Pointer);                            // cuMemFree_v2
using CopyToHostFn = Return (*)(void*, Pointer, std::size_t);  // cuMemcpyDtoH_v2
// cuMemsetD32Async(destination, word, words, stream)
using FillFn = Return (*)(Pointer, unsigned, std::size_t, Stream);
using StreamCreateFn = Return (*)(Stream*, unsigned);     // cuStreamCreate
using StreamFn = Return (*)(Stream);                      // cuStreamDestroy_v2, cuStreamQuery
using EventCreateFn = Return (*)(Event*, unsigned);       // cuEventCreate
using EventDestroyFn = Return (*)(Event);                 // cuEventDestroy_v2
using EventRecordFn = Return (*)(Event, Stream);          // cuEventRecord
using EventElapsedFn = Return (*)(float*, Event, Event);  // cuEventElapsedTime, ms

}  // namespace yardmaster::cuda_abi
