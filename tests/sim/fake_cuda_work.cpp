// The fake CUDA driver's memory, streams and events.
#include <algorithm>

#include "tests/sim/fake_cuda.hpp"

namespace {

using namespace yardmaster;       // NOLINT: this file is the library's inside
using namespace yardmaster::sim;  // NOLINT
using namespace cuda_abi;         // NOLINT

void draw_noise(FakeCuda& cuda) {
    std::normal_distribution<double> noise(1, std::max(cuda.scenario.noise, 1e-9));
    std::uniform_real_distribution<double> chance(0, 1);
    cuda.factor = std::max(0.1, noise(cuda.random));
    if (chance(cuda.random) < cuda.scenario.dips) {
        cuda.factor *= 2.0 / 3;
    }
}

}  // namespace

YM_EXPORT Return cuMemAlloc_v2(Pointer* memory, std::size_t bytes) {
    if (fake_cuda().scenario.fault == "no-memory") {
        return kOutOfMemory;
    }
    *memory = fake_cuda().memory.allocate(bytes);
    return kSuccess;
}

YM_EXPORT Return cuMemFree_v2(Pointer memory) {
    return fake_cuda().memory.free(memory) ? kSuccess : kInvalidValue;
}

YM_EXPORT Return cuMemsetD32Async(Pointer memory, unsigned word, std::size_t words, Stream) {
    fake_cuda().memory.fill(memory, word, words);
    return kSuccess;
}

YM_EXPORT Return cuMemcpyDtoH_v2(void* host, Pointer memory, std::size_t bytes) {
    const FakeMemory& fake = fake_cuda().memory;
    auto* words = static_cast<std::uint32_t*>(host);
    for (Pointer at = memory; at < memory + bytes;) {
        const Pointer end = fake.run_end(at, memory + bytes);
        words = std::fill_n(words, (end - at) / 4, fake.word_at(at));
        at = end;
    }
    return kSuccess;
}

YM_EXPORT Return cuStreamCreate(Stream* stream, unsigned) {
    auto* made = new FakeStream{fake_cuda().current, 0};
    fake_cuda().streams.insert(made);
    *stream = made;
    return kSuccess;
}

YM_EXPORT Return cuStreamDestroy_v2(Stream stream) {
    auto* made = static_cast<FakeStream*>(stream);
    const bool known = fake_cuda().streams.erase(made) == 1;
    delete (known ? made : nullptr);
    return known ? kSuccess : kInvalidValue;
}

YM_EXPORT Return cuStreamQuery(Stream) {
    return fake_cuda().scenario.fault == "hang-run" ? kNotReady : kSuccess;
}

YM_EXPORT Return cuEventCreate(Event* event, unsigned) {
    auto* made = new FakeEvent;
    fake_cuda().events.insert(made);
    *event = made;
    return kSuccess;
}

YM_EXPORT Return cuEventDestroy_v2(Event event) {
    auto* made = static_cast<FakeEvent*>(event);
    const bool known = fake_cuda().events.erase(made) == 1;
    delete (known ? made : nullptr);
    return known ? kSuccess : kInvalidValue;
}

YM_EXPORT Return cuEventRecord(Event event, Stream stream) {
    const auto* on = static_cast<FakeStream*>(stream);
    static_cast<FakeEvent*>(event)->time = on->time;
    if (on->device == 0) {
        draw_noise(fake_cuda());  // a window begins, or has ended
    }
    return kSuccess;
}

YM_EXPORT Return cuEventElapsedTime(float* ms, Event begin, Event end) {
    *ms = static_cast<float>(
        (static_cast<FakeEvent*>(end)->time - static_cast<FakeEvent*>(begin)->time) * 1e3);
    return kSuccess;
}
