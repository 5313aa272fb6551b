#include "healthcheck/baseline/counter_baseline.hpp"

#include "healthcheck/json_fields.hpp"

namespace yardmaster {
namespace {

Status read_object(const JsonNode& node, CounterBaseline& baseline) {
    JsonFields fields(node);
    std::string name;
    CounterSnapshot snapshot;
    fields.string("object", name);
    fields.number("uptime_s", snapshot.uptime_s);
    fields.read("counters", [&](const JsonNode& value) {
        return counters_from_json(value, snapshot.counters);
    });
    if (fields.has("driver")) {
        fields.string("driver", snapshot.driver);
    }
    baseline.objects[name] = std::move(snapshot);
    return fields.status();
}

}  // namespace

JsonValue counters_to_json(const std::map<std::string, std::uint64_t>& counters) {
    JsonValue object = JsonValue::object();
    for (const auto& [name, value] : counters) {
        object.set(name.c_str(), value);
    }
    return object;
}

Status counters_from_json(const JsonNode& node, std::map<std::string, std::uint64_t>& counters) {
    auto members = node.members();
    if (!members) {
        return members.status();
    }
    for (const auto& [name, member] : *members) {
        // A counter above 2^63 comes out negative, and is taken back the same way.
        auto value = member.integer(std::numeric_limits<std::int64_t>::min(),
                                    std::numeric_limits<std::int64_t>::max());
        if (!value) {
            return value.status();
        }
        counters[name] = static_cast<std::uint64_t>(*value);
    }
    return Status::ok();
}

JsonValue to_json(const CounterBaseline& baseline) {
    JsonValue objects = JsonValue::array();
    for (const auto& [name, snapshot] : baseline.objects) {
        JsonValue object = JsonValue::object();
        object.set("object", name)
            .set("uptime_s", snapshot.uptime_s)
            .set("counters", counters_to_json(snapshot.counters));
        if (!snapshot.driver.empty()) {
            object.set("driver", snapshot.driver);
        }
        objects.append(std::move(object));
    }
    return JsonValue::object()
        .set("format", 1)
        .set("boot_id", baseline.boot_id)
        .set("objects", std::move(objects));
}

Status from_json(const JsonNode& node, CounterBaseline& baseline) {
    JsonFields fields(node);
    unsigned format = 0;
    fields.integer("format", format);
    fields.string("boot_id", baseline.boot_id);
    fields.read("objects", [&](const JsonNode& value) {
        auto elements = value.elements();
        Status status = elements.status();
        for (std::size_t i = 0; status && i < elements->size(); ++i) {
            status = read_object((*elements)[i], baseline);
        }
        return status;
    });
    if (fields.status() && format != 1) {
        return node.error("has a format that this version does not read, must be 1");
    }
    return fields.status();
}

Growth growth_of(std::uint64_t now, const std::optional<std::uint64_t>& before, unsigned bits) {
    const std::uint64_t highest = bits >= 64 ? UINT64_MAX : (std::uint64_t{1} << bits) - 1;
    if (!before) {
        return {};
    }
    if (now < *before) {
        return {Growth::Kind::kRestarted, 0};
    }
    if (now == highest && *before == highest) {
        return {Growth::Kind::kSaturated, 0};
    }
    return {Growth::Kind::kMeasured, now - *before};
}

}  // namespace yardmaster
