// GPU memory that a NIC reads and writes by itself (GPUDirect RDMA).
#pragma once

#include "healthcheck/rdma/rdma_buffer.hpp"

namespace yardmaster {

/// Where GPU memory comes from.
struct GpuMemorySource {
    std::string library = "libcuda.so.1";  ///< a name or path for dlopen
    std::string sysfs_root = "/sys";
};

/// `bytes` of the GPU that is nearest to `device` on PCIe. A dma-buf is taken where the driver
/// gives one (open kernel modules, Linux 5.12), else the memory is to be registered by its address,
/// for which nvidia-peermem must be loaded. kUnavailable, in few words, when there is no CUDA, no
/// GPU or neither way.
Result<std::unique_ptr<RdmaBuffer>> make_gpu_buffer(const GpuMemorySource& source,
                                                    const std::string& device,
                                                    std::size_t bytes);

}  // namespace yardmaster
