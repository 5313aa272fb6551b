#include "healthcheck/rdma/cuda_driver.hpp"

#include <dlfcn.h>

namespace yardmaster {
namespace {

template <typename Function>
bool find(void* handle, const char* symbol, Function& function) {
    function = reinterpret_cast<Function>(dlsym(handle, symbol));
    return function != nullptr;
}

/// Whether all functions are there that every CUDA 11 has.
bool find_all(CudaDriver& cuda) {
    void* from = cuda.handle;
    find(from, "cuMemGetHandleForAddressRange", cuda.handle_for_range);
    return find(from, "cuInit", cuda.init) && find(from, "cuDeviceGetCount", cuda.device_count) &&
           find(from, "cuDeviceGet", cuda.device_get) &&
           find(from, "cuDeviceGetPCIBusId", cuda.pci_bus_id) &&
           find(from, "cuDevicePrimaryCtxRetain", cuda.retain) &&
           find(from, "cuDevicePrimaryCtxRelease_v2", cuda.release) &&
           find(from, "cuCtxSetCurrent", cuda.set_current) &&
           find(from, "cuMemAlloc_v2", cuda.allocate) && find(from, "cuMemFree_v2", cuda.free) &&
           find(from, "cuMemcpyHtoD_v2", cuda.copy_in) &&
           find(from, "cuMemcpyDtoH_v2", cuda.copy_out) &&
           find(from, "cuPointerSetAttribute", cuda.set_attribute);
}

}  // namespace

CudaDriver::~CudaDriver() {
    if (handle != nullptr) {
        dlclose(handle);
    }
}

Result<std::shared_ptr<CudaDriver>> load_cuda(const std::string& library) {
    auto cuda = std::make_shared<CudaDriver>();
    cuda->handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (cuda->handle == nullptr) {
        return Status(ErrorCode::kUnavailable, "no CUDA driver");
    }
    if (!find_all(*cuda)) {
        return Status(ErrorCode::kUnavailable, "the CUDA driver is older than 11");
    }
    const int code = cuda->init(0);
    if (code != 0) {
        return Status(ErrorCode::kUnavailable, "cuInit failed with " + std::to_string(code));
    }
    return cuda;
}

}  // namespace yardmaster
