#include "healthcheck/gpu/gpu_reader.hpp"

namespace yardmaster {
namespace {

// NVML_NVLINK_MAX_LINKS: 18 in the headers of Hopper's time, 36 in newer ones (NVML API reference).
// A link number beyond what the library knows is answered with an error, which is kept.
constexpr unsigned kMaxLinks = 36;

}  // namespace

void read_nvlinks(NvmlApi& nvml, GpuReading& reading) {
    NvmlDevice device = nullptr;
    if (reading.handle_code != kNvmlSuccess || nvml.device(reading.index, device) != kNvmlSuccess) {
        return;
    }
    for (unsigned link = 0; link < kMaxLinks; ++link) {
        unsigned active = 0;
        const int code = nvml.nvlink_state(device, link, active);
        reading.nvlinks.push_back({code, code == kNvmlSuccess ? active : 0});
    }
}

}  // namespace yardmaster
