// GPUs, buffers and communicators of one run of the probe, and the all-reduces over them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "healthcheck/budget/child.hpp"
#include "healthcheck/nccl/cuda_api.hpp"
#include "healthcheck/nccl/nccl_api.hpp"
#include "healthcheck/nccl/nccl_reading.hpp"

namespace yardmaster {

/// Why something could not be done; kNone: it could.
struct NcclFailure {
    NcclFault fault = NcclFault::kNone;
    std::string error;  ///< one sentence
    explicit operator bool() const { return fault != NcclFault::kNone; }
};

/// One process with one communicator a GPU. Calls come in the order in which they stand here. After
/// a failed wait the GPUs may be busy for ever, so nothing is freed: end the process then, with
/// _exit, and the driver frees all.
class NcclSession {
  public:
    /// Borrows both, which are loaded.
    NcclSession(CudaApi& cuda, NcclApi& nccl) : cuda_(cuda), nccl_(nccl) {}
    NcclSession(const NcclSession&) = delete;
    NcclSession& operator=(const NcclSession&) = delete;
    ~NcclSession() { close(); }

    /// cuInit, and a context, stream and two events on each GPU that CUDA shows, which must be
    /// exactly `uuids` in their order. Fills in `attempt`'s cuda, gpus and context_ms.
    NcclFailure open_gpus(const std::vector<std::string>& uuids, NcclAttempt& attempt);
    /// ncclCommInitAll. Fills in `attempt`'s nccl, init_ms and warning.
    NcclFailure open_communicators(NcclAttempt& attempt);
    /// Two buffers of `bytes` on each GPU; the input is filled with input_word of sum_check.hpp.
    NcclFailure allocate(std::uint64_t bytes);
    /// Overwrites all outputs, so that an old result cannot pass for a new one.
    NcclFailure spoil_outputs();
    /// Launches `iterations` all-reduces of the first `bytes`, between the two events.
    NcclFailure launch(std::uint64_t bytes, unsigned iterations);
    /// Waits until all GPUs are done; kHung when they are not by `deadline`.
    NcclFailure wait(Clock::time_point deadline);
    /// Time between the events, of the GPU on which it was longest.
    NcclFailure elapsed(double& seconds);
    /// Copies words of the output of GPU `rank` to `words`, from word `first` on.
    NcclFailure read_output(std::size_t rank,
                            std::uint64_t first,
                            std::vector<std::uint32_t>& words);
    std::size_t ranks() const { return gpus_.size(); }
    std::uint64_t allocated() const { return bytes_; }
    /// Frees everything, in reverse order.
    void close();

  private:
    struct Gpu {
        int ordinal = 0;
        cuda_abi::Context context = nullptr;
        cuda_abi::Stream stream = nullptr;
        cuda_abi::Event begin = nullptr;
        cuda_abi::Event end = nullptr;
        cuda_abi::Pointer input = 0;
        cuda_abi::Pointer output = 0;
    };

    NcclFailure check(int code, const std::string& what);
    NcclFailure check_nccl(int code, const std::string& what);
    NcclFailure open_gpu(int ordinal, const std::string& uuid, NcclAttempt& attempt);
    NcclFailure reduce_once(std::uint64_t bytes);
    /// Runs `use(gpu, rank)` with each GPU's context current, until one fails.
    template <typename Use>
    NcclFailure on_each(Use use) {
        for (std::size_t rank = 0; rank < gpus_.size(); ++rank) {
            NcclFailure failure = check(cuda_.set_current(gpus_[rank].context), "cuCtxSetCurrent");
            if (!failure) {
                failure = use(gpus_[rank], rank);
            }
            if (failure) {
                return failure;
            }
        }
        return {};
    }
    static std::string of_gpu(int ordinal) { return " of GPU " + std::to_string(ordinal); }
    void free_buffers();

    CudaApi& cuda_;
    NcclApi& nccl_;
    std::vector<Gpu> gpus_;              ///< [rank]
    std::vector<nccl_abi::Comm> comms_;  ///< [rank]
    std::uint64_t bytes_ = 0;
    bool abandoned_ = false;
};

}  // namespace yardmaster
