#include "base/json_value.hpp"
#include "healthcheck/json_fields.hpp"
#include "healthcheck/readings.hpp"

namespace yardmaster {
namespace {

/// [code, value]: short, because a node has hundreds of links.
JsonValue number_to_json(const NvmlNumber& number) {
    return JsonValue::array().append(number.code).append(number.value);
}

Status number_from_json(const JsonNode& node, NvmlNumber& number) {
    auto pair = node.elements();
    if (!pair || pair->size() != 2) {
        return node.error("must be [NVML code, value]");
    }
    auto code = (*pair)[0].integer(0, 1000000);
    auto value = (*pair)[1].integer(0, std::numeric_limits<std::int64_t>::max());
    if (!code || !value) {
        return node.error("must be [NVML code, value]");
    }
    number = {static_cast<int>(*code), static_cast<std::uint64_t>(*value)};
    return Status::ok();
}

void read_number(JsonFields& fields, const char* key, NvmlNumber& number) {
    fields.read(key, [&](const JsonNode& node) { return number_from_json(node, number); });
}

}  // namespace

JsonValue to_json(const NvmlReading& reading) {
    return JsonValue::object()
        .set("loaded", reading.loaded)
        .set("error", reading.error)
        .set("driver", reading.driver)
        .set("device_count", number_to_json(reading.device_count));
}

Status from_json(const JsonNode& node, NvmlReading& reading) {
    JsonFields fields(node);
    fields.boolean("loaded", reading.loaded);
    fields.string("error", reading.error);
    fields.string("driver", reading.driver);
    read_number(fields, "device_count", reading.device_count);
    return fields.status();
}

JsonValue to_json(const GpuReading& reading) {
    return JsonValue::object()
        .set("index", reading.index)
        .set("handle_code", reading.handle_code)
        .set("minor", number_to_json(reading.minor))
        .set("model", reading.model)
        .set("uuid", reading.uuid)
        .set("pci", reading.pci)
        .set("mig_mode", number_to_json(reading.mig_mode))
        .set("ecc_uncorrected", number_to_json(reading.ecc_uncorrected))
        .set("remap_pending", number_to_json(reading.remap_pending))
        .set("remap_failed", number_to_json(reading.remap_failed))
        .set("nvlinks", json_array_of(reading.nvlinks, number_to_json));
}

Status from_json(const JsonNode& node, GpuReading& reading) {
    JsonFields fields(node);
    fields.integer("index", reading.index);
    fields.integer("handle_code", reading.handle_code);
    read_number(fields, "minor", reading.minor);
    fields.string("model", reading.model);
    fields.string("uuid", reading.uuid);
    fields.string("pci", reading.pci);
    read_number(fields, "mig_mode", reading.mig_mode);
    read_number(fields, "ecc_uncorrected", reading.ecc_uncorrected);
    read_number(fields, "remap_pending", reading.remap_pending);
    read_number(fields, "remap_failed", reading.remap_failed);
    fields.list("nvlinks", reading.nvlinks, number_from_json);
    return fields.status();
}

}  // namespace yardmaster
