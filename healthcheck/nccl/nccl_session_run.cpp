// The all-reduces of a session.
#include <unistd.h>

#include <algorithm>

#include "healthcheck/nccl/nccl_session.hpp"
#include "healthcheck/nccl/sum_check.hpp"

namespace yardmaster {
namespace {

constexpr useconds_t kPoll{50};  // us; far below the shortest window

}  // namespace

NcclFailure NcclSession::allocate(std::uint64_t bytes) {
    free_buffers();
    NcclFailure failure = on_each([&](Gpu& gpu, std::size_t) {
        NcclFailure own = check(cuda_.allocate(bytes, gpu.input), "cuMemAlloc");
        return own ? own : check(cuda_.allocate(bytes, gpu.output), "cuMemAlloc");
    });
    bytes_ = failure ? 0 : bytes;
    return failure ? failure : on_each([&](Gpu& gpu, std::size_t rank) {
        NcclFailure own;
        for (std::uint64_t block = 0; !own && block * kSumBlockWords * 4 < bytes; ++block) {
            const std::uint64_t begin = block * kSumBlockWords * 4;
            const std::uint64_t words = std::min(kSumBlockWords, (bytes - begin) / 4);
            own = check(cuda_.fill(gpu.input + begin, input_word(rank, block), words, gpu.stream),
                        "cuMemsetD32Async");
        }
        return own;
    });
}

NcclFailure NcclSession::spoil_outputs() {
    constexpr std::uint32_t kNotANumber = 0xffffffff;
    return on_each([&](Gpu& gpu, std::size_t) {
        return check(cuda_.fill(gpu.output, kNotANumber, bytes_ / 4, gpu.stream),
                     "cuMemsetD32Async");
    });
}

NcclFailure NcclSession::reduce_once(std::uint64_t bytes) {
    NcclFailure failure = check_nccl(nccl_.group_start(), "ncclGroupStart");
    for (std::size_t rank = 0; !failure && rank < gpus_.size(); ++rank) {
        Gpu& gpu = gpus_[rank];
        failure =
            check_nccl(nccl_.all_reduce(gpu.input, gpu.output, bytes / 4, comms_[rank], gpu.stream),
                       "ncclAllReduce");
    }
    const int code = nccl_.group_end();
    return failure ? failure : check_nccl(code, "ncclGroupEnd");
}

NcclFailure NcclSession::launch(std::uint64_t bytes, unsigned iterations) {
    NcclFailure failure = on_each([&](Gpu& gpu, std::size_t) {
        return check(cuda_.record(gpu.begin, gpu.stream), "cuEventRecord");
    });
    for (unsigned i = 0; !failure && i < iterations; ++i) {
        failure = reduce_once(bytes);
    }
    return failure ? failure : on_each([&](Gpu& gpu, std::size_t) {
        return check(cuda_.record(gpu.end, gpu.stream), "cuEventRecord");
    });
}

NcclFailure NcclSession::wait(Clock::time_point deadline) {
    return on_each([&](Gpu& gpu, std::size_t rank) {
        int code = cuda_.query_stream(gpu.stream);
        while (code == cuda_abi::kNotReady && Clock::now() < deadline) {
            usleep(kPoll);
            code = cuda_.query_stream(gpu.stream);
        }
        int error = nccl_abi::kSuccess;
        if (code == cuda_abi::kNotReady) {
            abandoned_ = true;
            nccl_.async_error(comms_[rank], error);
            const std::string why = error == nccl_abi::kSuccess ? "" : ": " + nccl_.describe(error);
            return NcclFailure{NcclFault::kHung,
                               "all-reduce did not finish in time" + of_gpu(gpu.ordinal) + why};
        }
        return check(code, "all-reduce" + of_gpu(gpu.ordinal));
    });
}

NcclFailure NcclSession::elapsed(double& seconds) {
    seconds = 0;
    return on_each([&](Gpu& gpu, std::size_t) {
        float ms = 0;
        NcclFailure failure = check(cuda_.elapsed_ms(gpu.begin, gpu.end, ms), "cuEventElapsedTime");
        seconds = std::max(seconds, ms / 1e3);
        return failure;
    });
}

NcclFailure NcclSession::read_output(std::size_t rank,
                                     std::uint64_t first,
                                     std::vector<std::uint32_t>& words) {
    Gpu& gpu = gpus_[rank];
    const NcclFailure failure = check(cuda_.set_current(gpu.context), "cuCtxSetCurrent");
    return failure
               ? failure
               : check(cuda_.copy_to_host(words.data(), gpu.output + first * 4, words.size() * 4),
                       "cuMemcpyDtoH");
}

}  // namespace yardmaster
