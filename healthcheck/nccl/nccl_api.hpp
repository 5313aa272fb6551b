// The part of NCCL that the probe uses, behind an interface: the library is only ever loaded at run
// time, and a node without it is a node whose all-reduce is not measured.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/status.hpp"
#include "healthcheck/nccl/cuda_abi.hpp"
#include "healthcheck/nccl/nccl_abi.hpp"

namespace yardmaster {

/// Thin calls, one per NCCL function; each returns the ncclResult_t, kSystemError when the library
/// lacks the function. Any call may block for minutes: use them only in a process that can be
/// killed.
class NcclApi {
  public:
    virtual ~NcclApi() = default;
    /// Loads the library. kNotFound, with the loader's reason, when it is not there.
    virtual Status load() = 0;
    virtual int version(int& code) = 0;  ///< ncclGetVersion, 22809 for 2.28.9
    /// ncclCommInitAll over CUDA devices 0 to `ranks` - 1: one communicator a device.
    virtual int init_all(int ranks, std::vector<nccl_abi::Comm>& comms) = 0;
    virtual int destroy(nccl_abi::Comm comm) = 0;
    virtual int async_error(nccl_abi::Comm comm, int& error) = 0;
    virtual int group_start() = 0;
    virtual int group_end() = 0;
    /// ncclAllReduce of `count` float32, summed.
    virtual int all_reduce(cuda_abi::Pointer send,
                           cuda_abi::Pointer receive,
                           std::size_t count,
                           nccl_abi::Comm comm,
                           cuda_abi::Stream stream) = 0;
    /// The newest warning, "" when there was none or the library is older than 2.13.
    virtual std::string last_error() = 0;
    /// "unhandled cuda error (1)".
    virtual std::string describe(int code) = 0;
};

/// NCCL from `library` (a name or a path for dlopen). Where it cannot be loaded, every call
/// answers kSystemError.
std::unique_ptr<NcclApi> make_nccl(const std::string& library);

/// "2.28.9" for 22809, "2.8.4" for 2804 (before 2.9 there was a digit less).
std::string nccl_version_text(int code);

}  // namespace yardmaster
