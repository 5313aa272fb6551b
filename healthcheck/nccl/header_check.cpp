// Holds cuda_abi.hpp and nccl_abi.hpp to NVIDIA's own headers. Compiled only where those are
// installed (-DYM_NCCL); has no code.
#include <cuda.h>
#include <nccl.h>

#include <type_traits>

#include "healthcheck/nccl/cuda_abi.hpp"
#include "healthcheck/nccl/nccl_abi.hpp"

namespace yardmaster {
namespace {

/// Whether two types are passed alike: pointers as pointers, numbers and enumerators by their size.
template <typename A, typename B>
constexpr bool passed_alike() {
    if constexpr (std::is_pointer_v<A> || std::is_pointer_v<B>) {
        return std::is_pointer_v<A> && std::is_pointer_v<B>;
    } else {
        return sizeof(A) == sizeof(B) && std::is_class_v<A> == std::is_class_v<B>;
    }
}

template <typename Ours, typename Theirs>
struct SameCall : std::false_type {};
template <typename R, typename... A, typename S, typename... B>
requires(sizeof...(A) == sizeof...(B)) struct SameCall<R (*)(A...), S (*)(B...)>
    : std::bool_constant<passed_alike<R, S>() && (passed_alike<A, B>() && ...)> {
};

#define YM_SAME(ours, theirs) static_assert(SameCall<ours, decltype(&theirs)>::value, #theirs)

YM_SAME(cuda_abi::InitFn, cuInit);
YM_SAME(cuda_abi::DriverVersionFn, cuDriverGetVersion);
YM_SAME(cuda_abi::ErrorTextFn, cuGetErrorName);
YM_SAME(cuda_abi::ErrorTextFn, cuGetErrorString);
YM_SAME(cuda_abi::DeviceCountFn, cuDeviceGetCount);
YM_SAME(cuda_abi::DeviceFn, cuDeviceGet);
YM_SAME(cuda_abi::DeviceNameFn, cuDeviceGetName);
YM_SAME(cuda_abi::DeviceUuidFn, cuDeviceGetUuid);
YM_SAME(cuda_abi::RetainFn, cuDevicePrimaryCtxRetain);
YM_SAME(cuda_abi::ReleaseFn, cuDevicePrimaryCtxRelease);
YM_SAME(cuda_abi::SetCurrentFn, cuCtxSetCurrent);
YM_SAME(cuda_abi::AllocateFn, cuMemAlloc);
YM_SAME(cuda_abi::FreeFn, cuMemFree);
YM_SAME(cuda_abi::CopyToHostFn, cuMemcpyDtoH);
YM_SAME(cuda_abi::FillFn, cuMemsetD32Async);
YM_SAME(cuda_abi::StreamCreateFn, cuStreamCreate);
YM_SAME(cuda_abi::StreamFn, cuStreamDestroy);
YM_SAME(cuda_abi::StreamFn, cuStreamQuery);
YM_SAME(cuda_abi::EventCreateFn, cuEventCreate);
YM_SAME(cuda_abi::EventDestroyFn, cuEventDestroy);
YM_SAME(cuda_abi::EventRecordFn, cuEventRecord);
YM_SAME(cuda_abi::EventElapsedFn, cuEventElapsedTime);
static_assert(sizeof(cuda_abi::Uuid) == sizeof(CUuuid));
static_assert(cuda_abi::kSuccess == CUDA_SUCCESS);
static_assert(cuda_abi::kOutOfMemory == CUDA_ERROR_OUT_OF_MEMORY);
static_assert(cuda_abi::kNotFound == CUDA_ERROR_NOT_FOUND);
static_assert(cuda_abi::kNotReady == CUDA_ERROR_NOT_READY);
static_assert(cuda_abi::kSystemNotReady == CUDA_ERROR_SYSTEM_NOT_READY);
static_assert(cuda_abi::kStreamNonBlocking == CU_STREAM_NON_BLOCKING);
static_assert(cuda_abi::kEventDefault == CU_EVENT_DEFAULT);

YM_SAME(nccl_abi::VersionFn, ncclGetVersion);
YM_SAME(nccl_abi::ErrorStringFn, ncclGetErrorString);
YM_SAME(nccl_abi::LastErrorFn, ncclGetLastError);
YM_SAME(nccl_abi::InitAllFn, ncclCommInitAll);
YM_SAME(nccl_abi::CommFn, ncclCommDestroy);
YM_SAME(nccl_abi::AsyncErrorFn, ncclCommGetAsyncError);
YM_SAME(nccl_abi::GroupFn, ncclGroupStart);
YM_SAME(nccl_abi::GroupFn, ncclGroupEnd);
YM_SAME(nccl_abi::AllReduceFn, ncclAllReduce);
static_assert(nccl_abi::kSuccess == ncclSuccess);
static_assert(nccl_abi::kUnhandledCudaError == ncclUnhandledCudaError);
static_assert(nccl_abi::kSystemError == ncclSystemError);
static_assert(nccl_abi::kFloat32 == ncclFloat32);
static_assert(nccl_abi::kSum == ncclSum);

}  // namespace
}  // namespace yardmaster
