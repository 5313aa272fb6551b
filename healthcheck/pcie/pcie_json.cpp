#include "healthcheck/json_fields.hpp"
#include "healthcheck/readings.hpp"

namespace yardmaster {
namespace {

template <typename T>
JsonValue or_null(const std::optional<T>& value) {
    return value ? JsonValue(*value) : JsonValue(nullptr);
}

/// [address, current width, widest, current GT/s, fastest]: short, because a way has several.
JsonValue link_to_json(const PciLink& link) {
    return JsonValue::array()
        .append(link.address)
        .append(or_null(link.current_width))
        .append(or_null(link.max_width))
        .append(or_null(link.current_gts))
        .append(or_null(link.max_gts));
}

bool is_null(const JsonNode& node) {
    return json_is_null(node.raw());
}

Status take_width(const JsonNode& node, std::optional<unsigned>& width) {
    auto number = is_null(node) ? Result<std::int64_t>(0) : node.integer(1, 255);
    if (number && *number > 0) {
        width = static_cast<unsigned>(*number);
    }
    return number.status();
}

Status take_speed(const JsonNode& node, std::optional<double>& speed) {
    auto number = is_null(node) ? Result<double>(0) : node.number(0, 1e6);
    if (number && *number > 0) {
        speed = *number;
    }
    return number.status();
}

Status link_from_json(const JsonNode& node, PciLink& link) {
    auto parts = node.elements();
    if (!parts || parts->size() != 5) {
        return node.error("must be [address, width, widest, GT/s, fastest]");
    }
    auto address = (*parts)[0].string();
    if (!address) {
        return address.status();
    }
    link.address = *address;
    for (Status status : {take_width((*parts)[1], link.current_width),
                          take_width((*parts)[2], link.max_width),
                          take_speed((*parts)[3], link.current_gts),
                          take_speed((*parts)[4], link.max_gts)}) {
        if (!status) {
            return status;
        }
    }
    return Status::ok();
}

}  // namespace

JsonValue to_json(const PciReading& reading) {
    JsonValue errors = JsonValue::object();
    for (const auto& [kind, total] : reading.errors) {
        errors.set(kind.c_str(), total);
    }
    return JsonValue::object()
        .set("address", reading.address)
        .set("device", reading.device)
        .set("kind", reading.kind)
        .set("path", json_array_of(reading.path, link_to_json))
        .set("errors", std::move(errors));
}

Status from_json(const JsonNode& node, PciReading& reading) {
    JsonFields fields(node);
    fields.string("address", reading.address);
    fields.string("device", reading.device);
    fields.string("kind", reading.kind);
    fields.list("path", reading.path, link_from_json);
    fields.read("errors", [&](const JsonNode& value) {
        auto members = value.members();
        Status status = members.status();
        for (std::size_t i = 0; status && i < members->size(); ++i) {
            auto total = (*members)[i].second.integer(0, std::numeric_limits<std::int64_t>::max());
            status = total.status();
            reading.errors[(*members)[i].first] = total ? static_cast<std::uint64_t>(*total) : 0;
        }
        return status;
    });
    return fields.status();
}

}  // namespace yardmaster
