#include "healthcheck/json_fields.hpp"
#include "healthcheck/json_writer.hpp"
#include "healthcheck/readings.hpp"

namespace yardmaster {
namespace {

void set_optional(JsonObject& object, const char* key, const std::optional<std::string>& value) {
    if (value) {
        object.set(key, *value);
    }
}

/// A counter is its number, or the text that stood in its place.
JsonPtr counters_to_json(const std::map<std::string, CounterReading>& counters) {
    JsonObject object;
    for (const auto& [name, counter] : counters) {
        object.set(name, counter.value ? to_json(*counter.value) : to_json(counter.text));
    }
    return object.take();
}

Status counters_from_json(const JsonNode& node, std::map<std::string, CounterReading>& counters) {
    auto members = node.members();
    if (!members) {
        return members.status();
    }
    for (const auto& [name, member] : *members) {
        if (member.is_string()) {
            counters[name].text = *member.string();
            continue;
        }
        // A counter above 2^63 comes out negative, and is taken back the same way.
        auto value = member.integer(std::numeric_limits<std::int64_t>::min(),
                                    std::numeric_limits<std::int64_t>::max());
        if (!value) {
            return value.status();
        }
        counters[name].value = static_cast<std::uint64_t>(*value);
    }
    return Status::ok();
}

}  // namespace

JsonPtr to_json(const PortInventory& inventory) {
    return JsonObject()
        .set("readable", inventory.readable)
        .set("devices", inventory.devices)
        .set("error", inventory.error)
        .take();
}

Status from_json(const JsonNode& node, PortInventory& inventory) {
    JsonFields fields(node);
    fields.boolean("readable", inventory.readable);
    fields.strings("devices", inventory.devices);
    fields.string("error", inventory.error);
    return fields.status();
}

JsonPtr to_json(const PortReading& reading) {
    JsonObject object;
    object.set("device", reading.device).set("port", reading.port).set("present", reading.present);
    set_optional(object, "state", reading.state);
    set_optional(object, "phys_state", reading.phys_state);
    set_optional(object, "rate", reading.rate);
    set_optional(object, "link_layer", reading.link_layer);
    object.set("counters", counters_to_json(reading.counters)).set("errors", reading.errors);
    return object.take();
}

Status from_json(const JsonNode& node, PortReading& reading) {
    JsonFields fields(node);
    fields.string("device", reading.device);
    fields.integer("port", reading.port);
    fields.boolean("present", reading.present);
    fields.optional_string("state", reading.state);
    fields.optional_string("phys_state", reading.phys_state);
    fields.optional_string("rate", reading.rate);
    fields.optional_string("link_layer", reading.link_layer);
    fields.read("counters", [&](const JsonNode& counters) {
        return counters_from_json(counters, reading.counters);
    });
    fields.strings("errors", reading.errors);
    return fields.status();
}

}  // namespace yardmaster
