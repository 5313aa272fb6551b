// NCCL's binary interface, as far as it is used: nccl.h is not needed to build. Every declaration
// follows NVIDIA's NCCL user guide (docs.nvidia.com/deeplearning/nccl, "NCCL API") under the name
// it has there; all of it is unchanged since NCCL 2.4, except ncclGetLastError, which came with
// 2.13. Where nccl.h is found, header_check.cpp compares it with this file.
#pragma once

#include <cstddef>

namespace yardmaster::nccl_abi {

using Return = int;    // ncclResult_t
using Comm = void*;    // ncclComm_t
using Stream = void*;  // cudaStream_t, which is the driver's CUstream

constexpr Return kSuccess = 0;
constexpr Return kUnhandledCudaError = 1;  // ncclUnhandledCudaError
constexpr Return kSystemError = 2;         // ncclSystemError
constexpr int kFloat32 = 7;                // ncclFloat32
constexpr int kSum = 0;                    // ncclSum

using VersionFn = Return (*)(int*);                    // ncclGetVersion
using ErrorStringFn = const char* (*)(Return);         // ncclGetErrorString
using LastErrorFn = const char* (*)(Comm);             // ncclGetLastError
using InitAllFn = Return (*)(Comm*, int, const int*);  // ncclCommInitAll
using CommFn = Return (*)(Comm);                       // ncclCommDestroy
using AsyncErrorFn = Return (*)(Comm, Return*);        // ncclCommGetAsyncError
using GroupFn = Return (*)();                          // ncclGroupStart, ncclGroupEnd
// ncclAllReduce(sendbuff, recvbuff, count, datatype, op, comm, stream)
using AllReduceFn = Return (*)(const void*, void*, std::size_t, int, int, Comm, Stream);

}  // namespace yardmaster::nccl_abi
