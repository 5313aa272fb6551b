#include "base/json_value.hpp"
#include "healthcheck/json_fields.hpp"
#include "healthcheck/nccl/nccl_json.hpp"
#include "healthcheck/rdma/rdma_json.hpp"
#include "healthcheck/readings.hpp"

namespace yardmaster {
namespace {

JsonValue port_to_json(const PortReading& port) {
    return to_json(port);
}

JsonValue gpu_to_json(const GpuReading& gpu) {
    return to_json(gpu);
}

}  // namespace

JsonValue to_json(const Readings& readings) {
    JsonValue object = JsonValue::object();
    if (readings.rdma.asked) {
        object.set("rdma", to_json(readings.rdma));
    }
    if (readings.nccl.asked) {
        object.set("nccl", to_json(readings.nccl));
    }
    return std::move(object)
        .set("inventory", to_json(readings.inventory))
        .set("ports", json_array_of(readings.ports, port_to_json))
        .set("nvml", to_json(readings.nvml))
        .set("gpus", json_array_of(readings.gpus, gpu_to_json))
        .set("boot_id", readings.boot_id)
        .set("simulated", json_array_of(readings.simulated))
        .set("notes", json_array_of(readings.notes));
}

Status from_json(const JsonNode& node, Readings& readings) {
    JsonFields fields(node);
    fields.read("inventory",
                [&](const JsonNode& value) { return from_json(value, readings.inventory); });
    fields.list("ports", readings.ports, [](const JsonNode& value, PortReading& port) {
        return from_json(value, port);
    });
    fields.read("nvml", [&](const JsonNode& value) { return from_json(value, readings.nvml); });
    fields.list("gpus", readings.gpus, [](const JsonNode& value, GpuReading& gpu) {
        return from_json(value, gpu);
    });
    fields.read_if_there("nccl",
                         [&](const JsonNode& value) { return from_json(value, readings.nccl); });
    if (node.has("rdma")) {
        fields.read("rdma", [&](const JsonNode& value) { return from_json(value, readings.rdma); });
    }
    fields.string("boot_id", readings.boot_id);
    fields.strings("simulated", readings.simulated);
    fields.strings("notes", readings.notes);
    return fields.status();
}

}  // namespace yardmaster
