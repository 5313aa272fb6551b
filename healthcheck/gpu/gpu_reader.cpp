#include "healthcheck/gpu/gpu_reader.hpp"

#include "healthcheck/gpu/nvml_abi.hpp"

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

NvmlNumber read_recovery_action(NvmlApi& nvml, NvmlDevice device) {
    std::vector<NvmlField> fields = {{nvml_abi::kRecoveryActionField}};
    nvml.field_values(device, fields);
    return fields[0].number;
}

NvmlNumber read_pcie_number(NvmlApi& nvml, NvmlDevice device, NvmlPcie which) {
    return read_number<unsigned>([&](unsigned& value) { return nvml.pcie(device, which, value); });
}

GpuPcieReading read_pcie(NvmlApi& nvml, NvmlDevice device) {
    return {read_pcie_number(nvml, device, NvmlPcie::kWidth),
            read_pcie_number(nvml, device, NvmlPcie::kWidthMax),
            read_pcie_number(nvml, device, NvmlPcie::kGeneration),
            read_pcie_number(nvml, device, NvmlPcie::kGenerationMax),
            read_pcie_number(nvml, device, NvmlPcie::kReplays)};
}

/// Which device it is.
void read_identity(NvmlApi& nvml, NvmlDevice device, GpuReading& reading) {
    reading.minor =
        read_number<unsigned>([&](unsigned& minor) { return nvml.minor_number(device, minor); });
    nvml.name(device, reading.model);
    nvml.uuid(device, reading.uuid);
    nvml.pci_bus_id(device, reading.pci);
    reading.mig_mode =
        read_number<unsigned>([&](unsigned& mode) { return nvml.mig_mode(device, mode); });
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
    read_identity(nvml, device, reading);
    reading.ecc_uncorrected = read_number<std::uint64_t>(
        [&](std::uint64_t& count) { return nvml.ecc_uncorrected(device, count); });
    read_remapped_rows(nvml, device, reading);
    reading.recovery_action = read_recovery_action(nvml, device);
    reading.clock_reasons = read_number<std::uint64_t>(
        [&](std::uint64_t& reasons) { return nvml.clock_reasons(device, reasons); });
    reading.processes = read_number<unsigned>(
        [&](unsigned& count) { return nvml.compute_processes(device, count); });
    reading.pcie = read_pcie(nvml, device);
    nvml.fabric_info(device, reading.nvlink.fabric);
    return reading;
}

}  // namespace yardmaster
