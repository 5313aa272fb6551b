// As much of a libcuda.so.1 as GPU buffers of the RDMA check need: one GPU whose memory is the
// host's. Anything that is not given back at the end is told on stderr, and ends the program.
#include <cstdio>
#include <cstdlib>
#include <cstring>

#define YM_EXPORT extern "C" __attribute__((visibility("default")))

namespace {

/// Counts what is held.
struct Books {
    ~Books() {
        if (held != 0) {
            std::fprintf(stderr, "fake libcuda: %d objects left\n", held);
            std::abort();
        }
    }
    int held = 0;
} books;

constexpr int kNotSupported = 801;  // CUDA_ERROR_NOT_SUPPORTED
constexpr std::size_t kAlignment = 65536;
int context;

}  // namespace

YM_EXPORT int cuInit(unsigned) {
    return 0;
}

YM_EXPORT int cuDeviceGetCount(int* count) {
    *count = 1;
    return 0;
}

YM_EXPORT int cuDeviceGet(int* device, int) {
    *device = 0;
    return 0;
}

YM_EXPORT int cuDeviceGetPCIBusId(char* id, int size, int) {
    std::snprintf(id, static_cast<std::size_t>(size), "0000:14:00.0");
    return 0;
}

YM_EXPORT int cuDevicePrimaryCtxRetain(void** own, int) {
    *own = &context;
    ++books.held;
    return 0;
}

YM_EXPORT int cuDevicePrimaryCtxRelease_v2(int) {
    --books.held;
    return 0;
}

YM_EXPORT int cuCtxSetCurrent(void*) {
    return 0;
}

YM_EXPORT int cuMemAlloc_v2(unsigned long long* memory, std::size_t bytes) {
    *memory = reinterpret_cast<unsigned long long>(std::aligned_alloc(kAlignment, bytes));
    ++books.held;
    return *memory != 0 ? 0 : 2;  // CUDA_ERROR_OUT_OF_MEMORY
}

YM_EXPORT int cuMemFree_v2(unsigned long long memory) {
    std::free(reinterpret_cast<void*>(memory));
    --books.held;
    return 0;
}

YM_EXPORT int cuMemcpyHtoD_v2(unsigned long long to, const void* from, std::size_t bytes) {
    std::memcpy(reinterpret_cast<void*>(to), from, bytes);
    return 0;
}

YM_EXPORT int cuMemcpyDtoH_v2(void* to, unsigned long long from, std::size_t bytes) {
    std::memcpy(to, reinterpret_cast<void*>(from), bytes);
    return 0;
}

YM_EXPORT int cuPointerSetAttribute(const void*, int, unsigned long long) {
    return 0;
}

/// This GPU's driver has no dma-buf: the memory is registered by its address.
YM_EXPORT int cuMemGetHandleForAddressRange(
    void*, unsigned long long, std::size_t, int, unsigned long long) {
    return kNotSupported;
}
