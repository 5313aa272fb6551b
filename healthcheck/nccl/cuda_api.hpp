// The part of the CUDA driver that the NCCL probe uses, behind an interface: the library is only
// ever loaded at run time. The driver and not the runtime, because every node with a GPU has it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "base/status.hpp"
#include "healthcheck/nccl/cuda_abi.hpp"

namespace yardmaster {

/// Thin calls, one per driver function; each returns the CUresult, kNotFound when the installed
/// library lacks the function. Any call may block for as long as the driver does: use them only in
/// a process that can be killed. Calls that need a context take the current one.
class CudaApi {
  public:
    virtual ~CudaApi() = default;
    /// Loads the library. kNotFound, with the loader's reason, when it is not there.
    virtual Status load() = 0;
    virtual int init() = 0;                        ///< cuInit(0)
    virtual int driver_version(int& version) = 0;  ///< cuDriverGetVersion, 12040 for 12.4
    virtual int device_count(int& count) = 0;
    virtual int device_name(int ordinal, std::string& name) = 0;
    virtual int device_uuid(int ordinal, std::string& uuid) = 0;  ///< as NVML writes it: "GPU-..."
    /// The context that the CUDA runtime inside NCCL uses too (cuDevicePrimaryCtxRetain).
    virtual int retain_context(int ordinal, cuda_abi::Context& context) = 0;
    virtual int release_context(int ordinal) = 0;
    virtual int set_current(cuda_abi::Context context) = 0;
    virtual int allocate(std::size_t bytes, cuda_abi::Pointer& memory) = 0;
    virtual int free(cuda_abi::Pointer memory) = 0;
    /// cuMemsetD32Async: `words` times `word`, in the order of `stream`.
    virtual int fill(cuda_abi::Pointer memory,
                     std::uint32_t word,
                     std::size_t words,
                     cuda_abi::Stream stream) = 0;
    virtual int copy_to_host(void* host, cuda_abi::Pointer memory, std::size_t bytes) = 0;
    virtual int create_stream(cuda_abi::Stream& stream) = 0;
    virtual int destroy_stream(cuda_abi::Stream stream) = 0;
    virtual int query_stream(cuda_abi::Stream stream) = 0;  ///< kNotReady while work is under way
    virtual int create_event(cuda_abi::Event& event) = 0;
    virtual int destroy_event(cuda_abi::Event event) = 0;
    virtual int record(cuda_abi::Event event, cuda_abi::Stream stream) = 0;
    virtual int elapsed_ms(cuda_abi::Event begin, cuda_abi::Event end, float& ms) = 0;
    /// "CUDA_ERROR_SYSTEM_NOT_READY: system not yet initialized (802)".
    virtual std::string describe(int code) = 0;
};

/// The driver from `library` (a name or a path for dlopen). Where it cannot be loaded, every call
/// answers kNotFound.
std::unique_ptr<CudaApi> make_cuda(const std::string& library);

}  // namespace yardmaster
