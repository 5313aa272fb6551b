#include "healthcheck/nccl/nccl_session.hpp"

#include <unistd.h>

#include <algorithm>

#include "healthcheck/nccl/sum_check.hpp"

namespace yardmaster {
namespace {

constexpr useconds_t kPoll{50};  // us; far below the shortest window

double milliseconds_since(Clock::time_point begin) {
    return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

std::string gpu_text(int ordinal) {
    return " of GPU " + std::to_string(ordinal);
}

}  // namespace

NcclFailure NcclSession::check(int code, const std::string& what) {
    if (code == cuda_abi::kSuccess) {
        return {};
    }
    return {fault_of_cuda(code), what + ": " + cuda_.describe(code)};
}

NcclFailure NcclSession::check_nccl(int code, const std::string& what) {
    if (code == nccl_abi::kSuccess) {
        return {};
    }
    const std::string warning = nccl_.last_error();
    const std::string text =
        what + ": " + nccl_.describe(code) + (warning.empty() ? "" : ": " + warning);
    return {tells_of_fabric_manager(text) ? NcclFault::kFabricManager : NcclFault::kFailed, text};
}

/// Runs `use(gpu, rank)` with each GPU's context current, until one fails.
template <typename Use>
NcclFailure NcclSession::on_each(Use use) {
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

NcclFailure NcclSession::open_gpu(int ordinal, const std::string& uuid, NcclAttempt& attempt) {
    NcclGpu shown;
    NcclFailure failure = check(cuda_.device_uuid(ordinal, shown.uuid), "cuDeviceGetUuid");
    if (!failure && shown.uuid != uuid) {
        return {NcclFault::kFailed,
                "CUDA shows GPU " + shown.uuid + " where " + uuid + " was asked for"};
    }
    cuda_.device_name(ordinal, shown.name);
    attempt.gpus.push_back(shown);
    gpus_.push_back({});
    Gpu& gpu = gpus_.back();
    gpu.ordinal = ordinal;
    const auto next = [&](int code, const std::string& what) {
        failure = failure ? failure : check(code, what + gpu_text(ordinal));
        return !failure;
    };
    if (!failure && next(cuda_.retain_context(ordinal, gpu.context), "context") &&
        next(cuda_.set_current(gpu.context), "context") &&
        next(cuda_.create_stream(gpu.stream), "stream") &&
        next(cuda_.create_event(gpu.begin), "event")) {
        next(cuda_.create_event(gpu.end), "event");
    }
    return failure;
}

NcclFailure NcclSession::open_gpus(const std::vector<std::string>& uuids, NcclAttempt& attempt) {
    const auto begin = Clock::now();
    int version = 0;
    int count = 0;
    NcclFailure failure = check(cuda_.init(), "cuInit");
    cuda_.driver_version(version);
    attempt.cuda = std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
    failure = failure ? failure : check(cuda_.device_count(count), "cuDeviceGetCount");
    if (!failure && static_cast<std::size_t>(count) != uuids.size()) {
        return {NcclFault::kFailed,
                "CUDA shows " + std::to_string(count) + " of the " + std::to_string(uuids.size()) +
                    " GPUs that were asked for"};
    }
    for (int ordinal = 0; !failure && ordinal < count; ++ordinal) {
        failure = open_gpu(ordinal, uuids[static_cast<std::size_t>(ordinal)], attempt);
    }
    attempt.context_ms = milliseconds_since(begin);
    return failure;
}

NcclFailure NcclSession::open_communicators(NcclAttempt& attempt) {
    int version = 0;
    nccl_.version(version);
    attempt.nccl = nccl_version_text(version);
    const auto begin = Clock::now();
    const int code = nccl_.init_all(static_cast<int>(gpus_.size()), comms_);
    attempt.init_ms = milliseconds_since(begin);
    attempt.warning = code == nccl_abi::kSuccess ? nccl_.last_error() : "";
    return check_nccl(code, "ncclCommInitAll");
}

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
                               "all-reduce did not finish in time" + gpu_text(gpu.ordinal) + why};
        }
        return check(code, "all-reduce" + gpu_text(gpu.ordinal));
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

void NcclSession::free_buffers() {
    bytes_ = 0;
    for (Gpu& gpu : gpus_) {
        cuda_.set_current(gpu.context);
        for (cuda_abi::Pointer* memory : {&gpu.input, &gpu.output}) {
            if (*memory != 0) {
                cuda_.free(*memory);
                *memory = 0;
            }
        }
    }
}

void NcclSession::close() {
    if (abandoned_) {
        return;
    }
    for (nccl_abi::Comm comm : comms_) {
        nccl_.destroy(comm);
    }
    comms_.clear();
    free_buffers();
    for (Gpu& gpu : gpus_) {
        cuda_.set_current(gpu.context);
        for (cuda_abi::Event event : {gpu.begin, gpu.end}) {
            if (event != nullptr) {
                cuda_.destroy_event(event);
            }
        }
        if (gpu.stream != nullptr) {
            cuda_.destroy_stream(gpu.stream);
        }
        if (gpu.context != nullptr) {
            cuda_.release_context(gpu.ordinal);
        }
    }
    gpus_.clear();
}

}  // namespace yardmaster
