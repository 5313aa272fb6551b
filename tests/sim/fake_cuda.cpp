// A libcuda.so.1 for machines without GPUs, and with fake_nccl.cpp a libnccl.so.2. Its clock is its
// own: work takes no time but is said to have taken what the scenario makes of it.
#include "tests/sim/fake_cuda.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/json_value.hpp"

namespace yardmaster::sim {

/// Tells the tests what the process did not free.
FakeCuda::~FakeCuda() {
    const auto held =
        std::count_if(contexts.begin(), contexts.end(), [](unsigned count) { return count > 0; });
    std::ofstream out(fake_cuda_folder() + "/left.json");
    out << JsonValue::object()
               .set("memory", memory.blocks())
               .set("contexts", held)
               .set("streams", streams.size())
               .set("events", events.size())
               .set("communicators", comms.size())
               .dump_exact()
        << "\n";
}

FakeCuda& fake_cuda() {
    static FakeCuda cuda;
    return cuda;
}

std::string fake_cuda_folder() {
    Dl_info info{};
    dladdr(reinterpret_cast<void*>(&fake_cuda_folder), &info);
    return std::filesystem::path(info.dli_fname).parent_path();
}

}  // namespace yardmaster::sim

namespace {

using namespace yardmaster;       // NOLINT: this file is the library's inside
using namespace yardmaster::sim;  // NOLINT
using namespace cuda_abi;         // NOLINT

constexpr Return kInvalidValue = 1;    // CUDA_ERROR_INVALID_VALUE
constexpr Return kNotInitialized = 3;  // CUDA_ERROR_NOT_INITIALIZED
constexpr Return kNoDevice = 100;      // CUDA_ERROR_NO_DEVICE

const SimGpu* find_uuid(const std::vector<SimGpu>& gpus, const std::string& uuid) {
    const auto found = std::find_if(gpus.begin(), gpus.end(), [&](const SimGpu& gpu) {
        return gpu.uuid == uuid && !gpu.missing && !gpu.lost;
    });
    return found == gpus.end() ? nullptr : &*found;
}

/// As the driver does: in the order of the variable, up to the first that is not there.
std::vector<SimGpu> visible_gpus(const std::vector<SimGpu>& all) {
    const char* visible = std::getenv("CUDA_VISIBLE_DEVICES");
    if (visible == nullptr) {
        return all;
    }
    std::vector<SimGpu> gpus;
    std::istringstream words(visible);
    for (std::string uuid; std::getline(words, uuid, ',');) {
        const SimGpu* gpu = find_uuid(all, uuid);
        if (gpu == nullptr) {
            break;
        }
        gpus.push_back(*gpu);
    }
    return gpus;
}

template <typename Use>
Return on_device(Device device, Use use) {
    FakeCuda& cuda = fake_cuda();
    if (device < 0 || static_cast<std::size_t>(device) >= cuda.gpus.size()) {
        return kInvalidValue;
    }
    use(cuda.gpus[static_cast<std::size_t>(device)]);
    return kSuccess;
}

int hex_value(char c) {
    return c <= '9' ? c - '0' : c - 'a' + 10;
}

/// "GPU-00000000-0000-4000-8000-00000000000a" -> its 16 bytes.
Uuid bytes_of(const std::string& text) {
    Uuid uuid{};
    std::string digits;
    std::copy_if(
        text.begin() + 4, text.end(), std::back_inserter(digits), [](char c) { return c != '-'; });
    for (std::size_t i = 0; i < sizeof uuid.bytes && 2 * i + 1 < digits.size(); ++i) {
        uuid.bytes[i] =
            static_cast<char>(hex_value(digits[2 * i]) * 16 + hex_value(digits[2 * i + 1]));
    }
    return uuid;
}

void draw_noise(FakeCuda& cuda) {
    std::normal_distribution<double> noise(1, std::max(cuda.scenario.noise, 1e-9));
    std::uniform_real_distribution<double> chance(0, 1);
    cuda.factor = std::max(0.1, noise(cuda.random));
    if (chance(cuda.random) < cuda.scenario.dips) {
        cuda.factor *= 2.0 / 3;
    }
}

}  // namespace

YM_EXPORT Return cuInit(unsigned) {
    FakeCuda& cuda = fake_cuda();
    const std::string folder = fake_cuda_folder();
    auto scenario = load_nccl_scenario(folder + "/nccl.json");
    auto node = load_scenario(folder + "/../nvml/scenario.json");
    if (!scenario || !node) {
        return kNotInitialized;
    }
    cuda.scenario = std::move(scenario).value();
    if (cuda.scenario.fault == "802") {
        return kSystemNotReady;
    }
    cuda.gpus = visible_gpus(node->gpus);
    if (cuda.scenario.fault == "other-gpus") {
        std::reverse(cuda.gpus.begin(), cuda.gpus.end());
    }
    cuda.contexts.assign(cuda.gpus.size(), 0);
    cuda.random.seed(cuda.scenario.seed != 0 ? cuda.scenario.seed : std::random_device{}());
    return cuda.gpus.empty() ? kNoDevice : kSuccess;
}

YM_EXPORT Return cuDriverGetVersion(int* version) {
    *version = fake_cuda().scenario.cuda_version;
    return kSuccess;
}

YM_EXPORT Return cuGetErrorName(Return code, const char** text) {
    *text = code == kSystemNotReady ? "CUDA_ERROR_SYSTEM_NOT_READY"
            : code == kOutOfMemory  ? "CUDA_ERROR_OUT_OF_MEMORY"
                                    : "CUDA_ERROR_SIMULATED";
    return kSuccess;
}

YM_EXPORT Return cuGetErrorString(Return code, const char** text) {
    *text = code == kSystemNotReady ? "system not yet initialized" : "simulated";
    return kSuccess;
}

YM_EXPORT Return cuDeviceGetCount(int* count) {
    *count = static_cast<int>(fake_cuda().gpus.size());
    return kSuccess;
}

YM_EXPORT Return cuDeviceGet(Device* device, int ordinal) {
    return on_device(ordinal, [&](const SimGpu&) { *device = ordinal; });
}

YM_EXPORT Return cuDeviceGetName(char* name, int size, Device device) {
    return on_device(device, [&](const SimGpu& gpu) {
        std::snprintf(name, static_cast<std::size_t>(size), "%s SIMULATED", gpu.model.c_str());
    });
}

YM_EXPORT Return cuDeviceGetUuid(Uuid* uuid, Device device) {
    return on_device(device, [&](const SimGpu& gpu) { *uuid = bytes_of(gpu.uuid); });
}

YM_EXPORT Return cuDevicePrimaryCtxRetain(Context* context, Device device) {
    return on_device(device, [&](const SimGpu&) {
        ++fake_cuda().contexts[static_cast<std::size_t>(device)];
        *context = reinterpret_cast<Context>(static_cast<std::intptr_t>(device) + 1);
    });
}

YM_EXPORT Return cuDevicePrimaryCtxRelease_v2(Device device) {
    return on_device(
        device, [&](const SimGpu&) { --fake_cuda().contexts[static_cast<std::size_t>(device)]; });
}

YM_EXPORT Return cuCtxSetCurrent(Context context) {
    fake_cuda().current = static_cast<int>(reinterpret_cast<std::intptr_t>(context)) - 1;
    return kSuccess;
}

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
