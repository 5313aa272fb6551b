#include "healthcheck/json_fields.hpp"
#include "healthcheck/json_writer.hpp"
#include "healthcheck/readings.hpp"

namespace yardmaster {

JsonPtr to_json(const Readings& readings) {
    return JsonObject()
        .set("inventory", to_json(readings.inventory))
        .set("ports", readings.ports)
        .set("nvml", to_json(readings.nvml))
        .set("gpus", readings.gpus)
        .set("boot_id", readings.boot_id)
        .set("simulated", readings.simulated)
        .set("notes", readings.notes)
        .take();
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
    fields.string("boot_id", readings.boot_id);
    fields.strings("simulated", readings.simulated);
    fields.strings("notes", readings.notes);
    return fields.status();
}

}  // namespace yardmaster
