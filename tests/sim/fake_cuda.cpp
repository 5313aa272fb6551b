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
