#include "healthcheck/gpu/gpu_reader.hpp"

namespace yardmaster {
namespace {

/// Runs a call that writes one number.
template <typename Number, typename Call>
NvmlNumber read_number(Call call) {
    Number value = 0;
    const int code = call(value);
    return {code, code == kNvmlSuccess ? std::uint64_t{value} : 0};
}

void read_remapped_rows(NvmlApi& nvml, NvmlDevice device, GpuReading& reading) {
    unsigned pending = 0;
    unsigned failed = 0;
    const int code = nvml.remapped_rows(device, pending, failed);
    const bool ok = code == kNvmlSuccess;
    reading.remap_pending = {code, ok ? pending : 0};
    reading.remap_failed = {code, ok ? failed : 0};
}

}  // namespace

NvmlReading read_nvml(NvmlApi& nvml) {
    NvmlReading reading;
    reading.loaded = nvml.init(reading.error) == kNvmlSuccess;
    if (reading.loaded) {
        nvml.driver_version(reading.driver);
        reading.device_count =
            read_number<unsigned>([&](unsigned& count) { return nvml.device_count(count); });
    }
    return reading;
}

GpuReading read_gpu(NvmlApi& nvml, unsigned index) {
    GpuReading reading;
    reading.index = index;
    NvmlDevice device = nullptr;
    reading.handle_code = nvml.device(index, device);
    if (reading.handle_code != kNvmlSuccess) {
        return reading;
    }
    reading.minor =
        read_number<unsigned>([&](unsigned& minor) { return nvml.minor_number(device, minor); });
    nvml.name(device, reading.model);
    nvml.uuid(device, reading.uuid);
    nvml.pci_bus_id(device, reading.pci);
    reading.mig_mode =
        read_number<unsigned>([&](unsigned& mode) { return nvml.mig_mode(device, mode); });
    reading.ecc_uncorrected = read_number<std::uint64_t>(
        [&](std::uint64_t& count) { return nvml.ecc_uncorrected(device, count); });
    read_remapped_rows(nvml, device, reading);
    return reading;
}

}  // namespace yardmaster
