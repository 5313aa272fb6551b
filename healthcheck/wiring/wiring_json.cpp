#include "healthcheck/json_fields.hpp"
#include "healthcheck/readings.hpp"

namespace yardmaster {
namespace {

JsonValue place_to_json(const PciPlace& place) {
    return JsonValue::object()
        .set("address", place.address)
        .set("bridges", json_array_of(place.bridges));
}

Status place_from_json(const JsonNode& node, PciPlace& place) {
    JsonFields fields(node);
    fields.string("address", place.address);
    fields.strings("bridges", place.bridges);
    return fields.status();
}

}  // namespace

JsonValue to_json(const WiringReading& reading) {
    return JsonValue::object()
        .set("read", reading.read)
        .set("error", reading.error)
        .set("places", json_array_of(reading.places, place_to_json));
}

Status from_json(const JsonNode& node, WiringReading& reading) {
    JsonFields fields(node);
    fields.boolean("read", reading.read);
    fields.string("error", reading.error);
    fields.list("places", reading.places, place_from_json);
    return fields.status();
}

}  // namespace yardmaster
