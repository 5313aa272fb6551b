#include "base/json_value.hpp"
#include "healthcheck/crossnode/cross_json.hpp"
#include "healthcheck/json_fields.hpp"
#include "healthcheck/nccl/nccl_json.hpp"
#include "healthcheck/rdma/rdma_json.hpp"
#include "healthcheck/readings.hpp"

namespace yardmaster {
namespace {

/// Reads one element of a list.
template <typename Reading>
Status element(const JsonNode& node, Reading& reading) {
    return from_json(node, reading);
}

template <typename Reading>
JsonValue list_of(const std::vector<Reading>& readings) {
    return json_array_of(readings, [](const Reading& reading) { return to_json(reading); });
}

void read_surroundings(JsonFields& fields, Readings& readings) {
    fields.list("identities", readings.identities, element<PortIdentity>);
    fields.list("pci", readings.pci, element<PciReading>);
    fields.read("wiring", [&](const JsonNode& value) { return from_json(value, readings.wiring); });
    fields.read("baseline",
                [&](const JsonNode& value) { return from_json(value, readings.baseline); });
    fields.number("uptime_s", readings.uptime_s);
    fields.strings("unfinished", readings.unfinished);
}

JsonValue second_look_to_json(const SecondLook& second) {
    return JsonValue::object()
        .set("ports", list_of(second.ports))
        .set("gpus", list_of(second.gpus));
}

Status second_look_from_json(const JsonNode& node, SecondLook& second) {
    JsonFields fields(node);
    fields.list("ports", second.ports, element<PortReading>);
    fields.list("gpus", second.gpus, element<GpuReading>);
    return fields.status();
}

}  // namespace

JsonValue to_json(const Readings& readings) {
    JsonValue object = JsonValue::object();
    if (!readings.second_look.ports.empty() || !readings.second_look.gpus.empty()) {
        object.set("second_look", second_look_to_json(readings.second_look));
    }
    if (readings.rdma.asked) {
        object.set("rdma", to_json(readings.rdma));
    }
    if (readings.nccl.asked) {
        object.set("nccl", to_json(readings.nccl));
    }
    if (readings.crossnode.asked) {
        object.set("crossnode", to_json(readings.crossnode));
    }
    return std::move(object)
        .set("inventory", to_json(readings.inventory))
        .set("ports", list_of(readings.ports))
        .set("nvml", to_json(readings.nvml))
        .set("gpus", list_of(readings.gpus))
        .set("identities", list_of(readings.identities))
        .set("pci", list_of(readings.pci))
        .set("wiring", to_json(readings.wiring))
        .set("baseline", to_json(readings.baseline))
        .set("uptime_s", readings.uptime_s)
        .set("boot_id", readings.boot_id)
        .set("simulated", json_array_of(readings.simulated))
        .set("notes", json_array_of(readings.notes))
        .set("unfinished", json_array_of(readings.unfinished));
}

Status from_json(const JsonNode& node, Readings& readings) {
    JsonFields fields(node);
    fields.read("inventory",
                [&](const JsonNode& value) { return from_json(value, readings.inventory); });
    fields.list("ports", readings.ports, element<PortReading>);
    fields.read("nvml", [&](const JsonNode& value) { return from_json(value, readings.nvml); });
    fields.list("gpus", readings.gpus, element<GpuReading>);
    if (fields.has("pci")) {  // evidence of the first versions has none of these
        read_surroundings(fields, readings);
    }
    fields.read_if_there("second_look", [&](const JsonNode& value) {
        return second_look_from_json(value, readings.second_look);
    });
    fields.read_if_there("nccl",
                         [&](const JsonNode& value) { return from_json(value, readings.nccl); });
    fields.read_if_there("rdma",
                         [&](const JsonNode& value) { return from_json(value, readings.rdma); });
    fields.read_if_there(
        "crossnode", [&](const JsonNode& value) { return from_json(value, readings.crossnode); });
    fields.string("boot_id", readings.boot_id);
    fields.strings("simulated", readings.simulated);
    fields.strings("notes", readings.notes);
    return fields.status();
}

}  // namespace yardmaster
