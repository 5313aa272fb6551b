#include "base/json_value.hpp"
#include "healthcheck/json_fields.hpp"
#include "healthcheck/readings.hpp"

namespace yardmaster {
namespace {

void set_optional(JsonValue& object, const char* key, const std::optional<std::string>& value) {
    if (value) {
        object.set(key, *value);
    }
}

/// A counter is its number, or the text that stood in its place.
JsonValue counters_to_json(const std::map<std::string, CounterReading>& counters) {
    JsonValue object = JsonValue::object();
    for (const auto& [name, counter] : counters) {
        object.set(name.c_str(),
                   counter.value ? JsonValue(*counter.value) : JsonValue(counter.text));
    }
    return object;
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

JsonValue gid_to_json(const GidReading& gid) {
    return to_json(gid);
}

}  // namespace

JsonValue to_json(const PortInventory& inventory) {
    return JsonValue::object()
        .set("readable", inventory.readable)
        .set("devices", json_array_of(inventory.devices))
        .set("error", inventory.error);
}

Status from_json(const JsonNode& node, PortInventory& inventory) {
    JsonFields fields(node);
    fields.boolean("readable", inventory.readable);
    fields.strings("devices", inventory.devices);
    fields.string("error", inventory.error);
    return fields.status();
}

JsonValue to_json(const PortReading& reading) {
    JsonValue object = JsonValue::object();
    object.set("device", reading.device).set("port", reading.port).set("present", reading.present);
    set_optional(object, "state", reading.state);
    set_optional(object, "phys_state", reading.phys_state);
    set_optional(object, "rate", reading.rate);
    set_optional(object, "link_layer", reading.link_layer);
    set_optional(object, "netdev", reading.netdev);
    set_optional(object, "operstate", reading.operstate);
    if (reading.gids) {
        object.set("gids", json_array_of(*reading.gids, gid_to_json));
    }
    object.set("counters", counters_to_json(reading.counters))
        .set("errors", json_array_of(reading.errors));
    return object;
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
    fields.optional_string("netdev", reading.netdev);
    fields.optional_string("operstate", reading.operstate);
    if (fields.has("gids")) {
        fields.list("gids", reading.gids.emplace(), [](const JsonNode& value, GidReading& gid) {
            return from_json(value, gid);
        });
    }
    fields.read("counters", [&](const JsonNode& counters) {
        return counters_from_json(counters, reading.counters);
    });
    fields.strings("errors", reading.errors);
    return fields.status();
}

}  // namespace yardmaster
