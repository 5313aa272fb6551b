// The libnccl.so.2 half of the fake CUDA library.
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <thread>

#include "tests/sim/fake_cuda.hpp"

namespace {

using namespace yardmaster;       // NOLINT: this file is the library's inside
using namespace yardmaster::sim;  // NOLINT
using namespace nccl_abi;         // NOLINT
using cuda_abi::Pointer;

/// What a job's leftover NCCL_TOPO_FILE makes of a node: seen where 431 GB/s belong.
constexpr double kWrongTopology = 15;
constexpr double kWithoutNvls = 0.77;  // 370 of 480 GB/s

struct FakeComm {
    int rank = 0;
    int ranks = 0;
};

struct FakeCall {
    FakeComm* comm;
    Pointer send;
    Pointer receive;
    std::size_t words;
    FakeStream* stream;
};

std::vector<FakeCall> group;  ///< between ncclGroupStart and ncclGroupEnd
std::string last_error;

double busbw(const NcclScenario& scenario, double bytes) {
    if (std::getenv("NCCL_TOPO_FILE") != nullptr) {
        return kWrongTopology;
    }
    const double mib = bytes / (1 << 20);
    const double healthy = scenario.peak * mib / (mib + scenario.half_mib);
    return healthy * scenario.share * (scenario.fault == "nvls-warning" ? kWithoutNvls : 1);
}

/// All streams meet, and are busy for as long as the scenario says.
void spend_time() {
    const FakeCuda& cuda = fake_cuda();
    const double ranks = group.front().comm->ranks;
    const double bytes = static_cast<double>(group.front().words) * 4;
    const double rate = busbw(cuda.scenario, bytes) * cuda.factor * 1e9;
    // One GPU has nothing to send: it copies.
    const double share = ranks > 1 ? 2 * (ranks - 1) / ranks : 1;
    double start = 0;
    for (const FakeCall& call : group) {
        start = std::max(start, call.stream->time);
    }
    for (const FakeCall& call : group) {
        call.stream->time = start + bytes * share / rate;
    }
}

void add_up(Pointer offset, std::size_t words) {
    FakeMemory& memory = fake_cuda().memory;
    float sum = 0;
    for (const FakeCall& call : group) {
        sum += std::bit_cast<float>(memory.word_at(call.send + offset));
    }
    for (const FakeCall& call : group) {
        memory.fill(call.receive + offset, std::bit_cast<std::uint32_t>(sum), words);
    }
}

void spoil_one_word() {
    constexpr Pointer kPlace = (3 << 20) + 4;  // in the block after the third border
    const FakeCall& last = group.back();
    fake_cuda().memory.fill(last.receive + kPlace, 0, 1);
}

/// Runs of one word are added as a whole.
void reduce() {
    FakeMemory& memory = fake_cuda().memory;
    static std::size_t fills_before = 0;
    static std::size_t words_before = 0;
    if (memory.fills() == fills_before && group.front().words == words_before) {
        return;  // the same sums stand there already
    }
    const Pointer end = group.front().words * 4;
    for (Pointer at = 0; at < end;) {
        Pointer next = end;
        for (const FakeCall& call : group) {
            next = std::min(next, memory.run_end(call.send + at, call.send + end) - call.send);
        }
        add_up(at, (next - at) / 4);
        at = next;
    }
    if (fake_cuda().scenario.fault == "wrong-sums") {
        spoil_one_word();
    }
    fills_before = memory.fills();
    words_before = group.front().words;
}

}  // namespace

YM_EXPORT Return ncclGetVersion(int* version) {
    *version = fake_cuda().scenario.nccl_version;
    return kSuccess;
}

YM_EXPORT const char* ncclGetErrorString(Return code) {
    return code == kSuccess ? "no error" : "unhandled cuda error";
}

YM_EXPORT const char* ncclGetLastError(Comm) {
    return last_error.c_str();
}

YM_EXPORT Return ncclCommInitAll(Comm* comms, int ranks, const int*) {
    const NcclScenario& scenario = fake_cuda().scenario;
    while (scenario.fault == "hang-init") {
        pause();
    }
    std::this_thread::sleep_for(std::chrono::duration<double, std::milli>(scenario.init_ms));
    if (scenario.fault.starts_with("nvls")) {
        last_error = "NVLS multicast memory cannot be bound, CUDA error 801";
    }
    if (scenario.fault == "nvls") {
        return kUnhandledCudaError;
    }
    for (int rank = 0; rank < ranks; ++rank) {
        comms[rank] = new FakeComm{rank, ranks};
        fake_cuda().comms.insert(comms[rank]);
    }
    return kSuccess;
}

YM_EXPORT Return ncclCommDestroy(Comm comm) {
    fake_cuda().comms.erase(comm);
    delete static_cast<FakeComm*>(comm);
    return kSuccess;
}

YM_EXPORT Return ncclCommGetAsyncError(Comm, Return* error) {
    *error = kSuccess;
    return kSuccess;
}

YM_EXPORT Return ncclGroupStart() {
    group.clear();
    return kSuccess;
}

YM_EXPORT Return ncclAllReduce(
    const void* send, void* receive, std::size_t count, int, int, Comm comm, Stream stream) {
    group.push_back({static_cast<FakeComm*>(comm),
                     reinterpret_cast<Pointer>(send),
                     reinterpret_cast<Pointer>(receive),
                     count,
                     static_cast<FakeStream*>(stream)});
    return kSuccess;
}

YM_EXPORT Return ncclGroupEnd() {
    if (!group.empty()) {
        spend_time();
        reduce();
    }
    return kSuccess;
}
