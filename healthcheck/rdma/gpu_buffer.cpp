#include "healthcheck/rdma/gpu_buffer.hpp"

#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <filesystem>
#include <vector>

#include "healthcheck/rdma/cuda_driver.hpp"

namespace yardmaster {
namespace {

namespace fs = std::filesystem;

constexpr int kDmabufHandle = 1;  // CU_MEM_RANGE_HANDLE_TYPE_DMA_BUF_FD
constexpr int kSyncMemops = 6;    // CU_POINTER_ATTRIBUTE_SYNC_MEMOPS: GPUDirect RDMA's guide asks
constexpr std::size_t kPage = 4096;

/// How many folders two PCI devices share on their paths: the more, the nearer.
std::size_t shared_path(const fs::path& a, const fs::path& b) {
    const auto [left, right] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
    return static_cast<std::size_t>(std::distance(a.begin(), left));
}

fs::path real_path(const fs::path& path) {
    std::error_code error;
    const fs::path real = fs::canonical(path, error);
    return error ? path : real;
}

/// The GPU nearest to the NIC; the first when sysfs does not tell.
Result<CudaDriver::Device> nearest_gpu(const CudaDriver& cuda,
                                       const std::string& sysfs_root,
                                       const std::string& nic) {
    int count = 0;
    if (cuda.device_count(&count) != 0 || count == 0) {
        return Status(ErrorCode::kUnavailable, "CUDA lists no GPU");
    }
    const fs::path own = real_path(sysfs_root + "/class/infiniband/" + nic + "/device");
    CudaDriver::Device nearest = 0;
    std::size_t most = 0;
    for (int i = 0; i < count; ++i) {
        CudaDriver::Device gpu = 0;
        char id[32] = "";
        if (cuda.device_get(&gpu, i) != 0 || cuda.pci_bus_id(id, sizeof id, gpu) != 0) {
            continue;
        }
        std::string address = id;
        std::transform(address.begin(), address.end(), address.begin(), [](unsigned char c) {
            return static_cast<char>(std::tolower(c));
        });
        const fs::path other = real_path(sysfs_root + "/bus/pci/devices/" + address);
        if (const std::size_t shared = shared_path(own, other); shared > most) {
            most = shared;
            nearest = gpu;
        }
    }
    return nearest;
}

class GpuBuffer : public RdmaBuffer {
  public:
    GpuBuffer(std::shared_ptr<CudaDriver> cuda, CudaDriver::Device gpu, std::size_t bytes)
        : cuda_(std::move(cuda)), gpu_(gpu), bytes_(bytes) {}
    GpuBuffer(const GpuBuffer&) = delete;
    GpuBuffer& operator=(const GpuBuffer&) = delete;
    ~GpuBuffer() override {
        if (dmabuf_ >= 0) {
            close(dmabuf_);
        }
        if (memory_ != 0 && enter()) {
            cuda_->free(memory_);
        }
        if (context_ != nullptr) {
            cuda_->set_current(nullptr);
            cuda_->release(gpu_);
        }
    }

    Status allocate(bool peermem) {
        if (cuda_->retain(&context_, gpu_) != 0 || !enter() ||
            cuda_->allocate(&memory_, bytes_) != 0) {
            return {ErrorCode::kUnavailable, "no GPU memory"};
        }
        const unsigned one = 1;
        cuda_->set_attribute(&one, kSyncMemops, memory_);
        const bool pages = memory_ % kPage == 0 && bytes_ % kPage == 0;
        if (cuda_->handle_for_range == nullptr || !pages ||
            cuda_->handle_for_range(&dmabuf_, memory_, bytes_, kDmabufHandle, 0) != 0) {
            dmabuf_ = -1;
        }
        return dmabuf_ >= 0 || peermem
                   ? Status::ok()
                   : Status(ErrorCode::kUnavailable, "neither dma-buf nor nvidia-peermem");
    }

    void* address() override { return reinterpret_cast<void*>(memory_); }
    std::size_t bytes() const override { return bytes_; }
    int dmabuf() const override { return dmabuf_; }

    Status fill(std::uint64_t seed) override {
        std::vector<std::uint64_t> host(bytes_ / sizeof(std::uint64_t));
        fill_pattern(host.data(), bytes_, seed);
        return enter() && cuda_->copy_in(memory_, host.data(), bytes_) == 0
                   ? Status::ok()
                   : Status(ErrorCode::kUnavailable, "cuMemcpyHtoD failed");
    }
    Result<bool> holds(std::uint64_t seed) override {
        std::vector<std::uint64_t> host(bytes_ / sizeof(std::uint64_t));
        if (!enter() || cuda_->copy_out(host.data(), memory_, bytes_) != 0) {
            return Status(ErrorCode::kUnavailable, "cuMemcpyDtoH failed");
        }
        return holds_pattern(host.data(), bytes_, seed);
    }

  private:
    /// Buffers of several GPUs share this thread: each call makes its own context current.
    bool enter() { return context_ != nullptr && cuda_->set_current(context_) == 0; }

    std::shared_ptr<CudaDriver> cuda_;
    CudaDriver::Device gpu_;
    std::size_t bytes_;
    CudaDriver::Context context_ = nullptr;
    CudaDriver::Pointer memory_ = 0;
    int dmabuf_ = -1;
};

}  // namespace

Result<std::unique_ptr<RdmaBuffer>> make_gpu_buffer(const GpuMemorySource& source,
                                                    const std::string& device,
                                                    std::size_t bytes) {
    auto cuda = load_cuda(source.library);
    if (!cuda) {
        return cuda.status();
    }
    const auto gpu = nearest_gpu(**cuda, source.sysfs_root, device);
    if (!gpu) {
        return gpu.status();
    }
    auto buffer = std::make_unique<GpuBuffer>(*cuda, *gpu, bytes);
    std::error_code error;
    const bool peermem = fs::exists(source.sysfs_root + "/module/nvidia_peermem", error);
    if (Status status = buffer->allocate(peermem); !status) {
        return status;
    }
    return std::unique_ptr<RdmaBuffer>(std::move(buffer));
}

}  // namespace yardmaster
