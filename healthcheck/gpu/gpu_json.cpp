#include "base/json_value.hpp"
#include "healthcheck/gpu/nvml_json.hpp"
#include "healthcheck/json_fields.hpp"
#include "healthcheck/nvlink/nvlink_json.hpp"
#include "healthcheck/readings.hpp"

namespace yardmaster {
namespace {

JsonValue pcie_to_json(const GpuPcieReading& pcie) {
    return JsonValue::object()
        .set("width", nvml_to_json(pcie.width))
        .set("width_max", nvml_to_json(pcie.width_max))
        .set("generation", nvml_to_json(pcie.generation))
        .set("generation_max", nvml_to_json(pcie.generation_max))
        .set("replays", nvml_to_json(pcie.replays));
}

Status pcie_from_json(const JsonNode& node, GpuPcieReading& pcie) {
    JsonFields fields(node);
    read_nvml_number(fields, "width", pcie.width);
    read_nvml_number(fields, "width_max", pcie.width_max);
    read_nvml_number(fields, "generation", pcie.generation);
    read_nvml_number(fields, "generation_max", pcie.generation_max);
    read_nvml_number(fields, "replays", pcie.replays);
    return fields.status();
}

}  // namespace

JsonValue to_json(const NvmlReading& reading) {
    return JsonValue::object()
        .set("loaded", reading.loaded)
        .set("error", reading.error)
        .set("driver", reading.driver)
        .set("device_count", nvml_to_json(reading.device_count));
}

Status from_json(const JsonNode& node, NvmlReading& reading) {
    JsonFields fields(node);
    fields.boolean("loaded", reading.loaded);
    fields.string("error", reading.error);
    fields.string("driver", reading.driver);
    read_nvml_number(fields, "device_count", reading.device_count);
    return fields.status();
}

JsonValue to_json(const GpuReading& reading) {
    return JsonValue::object()
        .set("index", reading.index)
        .set("handle_code", reading.handle_code)
        .set("minor", nvml_to_json(reading.minor))
        .set("model", reading.model)
        .set("uuid", reading.uuid)
        .set("pci", reading.pci)
        .set("mig_mode", nvml_to_json(reading.mig_mode))
        .set("ecc_uncorrected", nvml_to_json(reading.ecc_uncorrected))
        .set("remap_pending", nvml_to_json(reading.remap_pending))
        .set("remap_failed", nvml_to_json(reading.remap_failed))
        .set("recovery_action", nvml_to_json(reading.recovery_action))
        .set("clock_reasons", nvml_to_json(reading.clock_reasons))
        .set("processes", nvml_to_json(reading.processes))
        .set("pcie", pcie_to_json(reading.pcie))
        .set("nvlinks", json_array_of(reading.nvlinks, nvml_to_json))
        .set("nvlink", to_json(reading.nvlink));
}

Status from_json(const JsonNode& node, GpuReading& reading) {
    JsonFields fields(node);
    fields.integer("index", reading.index);
    fields.integer("handle_code", reading.handle_code);
    read_nvml_number(fields, "minor", reading.minor);
    fields.string("model", reading.model);
    fields.string("uuid", reading.uuid);
    fields.string("pci", reading.pci);
    read_nvml_number(fields, "mig_mode", reading.mig_mode);
    read_nvml_number(fields, "ecc_uncorrected", reading.ecc_uncorrected);
    read_nvml_number(fields, "remap_pending", reading.remap_pending);
    read_nvml_number(fields, "remap_failed", reading.remap_failed);
    fields.list("nvlinks", reading.nvlinks, nvml_from_json);
    read_newer_nvml_number(fields, "recovery_action", reading.recovery_action);
    read_newer_nvml_number(fields, "clock_reasons", reading.clock_reasons);
    read_newer_nvml_number(fields, "processes", reading.processes);
    fields.read_if_there(
        "pcie", [&](const JsonNode& value) { return pcie_from_json(value, reading.pcie); });
    fields.read_if_there("nvlink",
                         [&](const JsonNode& value) { return from_json(value, reading.nvlink); });
    return fields.status();
}

}  // namespace yardmaster
