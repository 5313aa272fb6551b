// The part of the CUDA driver that GPU buffers need, loaded at run time. Private to the files
// cuda_driver.cpp and gpu_buffer.cpp. Types and numbers are those of cuda.h, which is not needed.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "base/status.hpp"

namespace yardmaster {

struct CudaDriver {
    using Code = int;  ///< CUresult; 0 is CUDA_SUCCESS
    using Device = int;
    using Context = void*;
    using Pointer = unsigned long long;  ///< CUdeviceptr

    CudaDriver() = default;
    CudaDriver(const CudaDriver&) = delete;
    CudaDriver& operator=(const CudaDriver&) = delete;
    ~CudaDriver();

    Code (*init)(unsigned) = nullptr;
    Code (*device_count)(int*) = nullptr;
    Code (*device_get)(Device*, int) = nullptr;
    Code (*pci_bus_id)(char*, int, Device) = nullptr;
    Code (*retain)(Context*, Device) = nullptr;  ///< cuDevicePrimaryCtxRetain
    Code (*release)(Device) = nullptr;           ///< cuDevicePrimaryCtxRelease
    Code (*set_current)(Context) = nullptr;
    Code (*allocate)(Pointer*, std::size_t) = nullptr;
    Code (*free)(Pointer) = nullptr;
    Code (*copy_in)(Pointer, const void*, std::size_t) = nullptr;
    Code (*copy_out)(void*, Pointer, std::size_t) = nullptr;
    Code (*set_attribute)(const void*, int, Pointer) = nullptr;
    /// From CUDA 11.7 on; nullptr before.
    Code (*handle_for_range)(void*, Pointer, std::size_t, int, unsigned long long) = nullptr;

    void* handle = nullptr;
};

/// Loads `library` and calls cuInit. kUnavailable with what went wrong.
Result<std::shared_ptr<CudaDriver>> load_cuda(const std::string& library);

}  // namespace yardmaster
