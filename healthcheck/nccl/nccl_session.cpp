#include "healthcheck/nccl/nccl_session.hpp"

namespace yardmaster {
namespace {

double milliseconds_since(Clock::time_point begin) {
    return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
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
        failure = failure ? failure : check(code, what + of_gpu(ordinal));
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
