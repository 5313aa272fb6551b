// GPU memory that a NIC reads and writes by itself (GPUDirect RDMA).
#pragma once

#include "healthcheck/rdma/rdma_buffer.hpp"

namespace yardmaster {

/// Memory of the GPU that is nearest to `device` on PCIe, through libcuda.so.1. It is registered by
/// a dma-buf where the driver gives one, else by its address where nvidia-peermem is loaded.
/// kUnavailable, in few words, when there is no CUDA, no GPU or neither way to register.
Result<std::unique_ptr<RdmaBuffer>> make_gpu_buffer(const std::string& sysfs_root,
                                                    const std::string& device,
                                                    std::size_t bytes);

}  // namespace yardmaster
