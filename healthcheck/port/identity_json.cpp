#include "healthcheck/json_fields.hpp"
#include "healthcheck/readings.hpp"

namespace yardmaster {

JsonValue to_json(const PortIdentity& identity) {
    return JsonValue::object()
        .set("device", identity.device)
        .set("pci", identity.pci)
        .set("physical", identity.physical)
        .set("link_layer", identity.link_layer)
        .set("phys_state", identity.phys_state)
        .set("netdevs", json_array_of(identity.netdevs))
        .set("bond", identity.bond)
        .set("default_route", identity.default_route);
}

Status from_json(const JsonNode& node, PortIdentity& identity) {
    JsonFields fields(node);
    fields.string("device", identity.device);
    fields.string("pci", identity.pci);
    fields.string("physical", identity.physical);
    fields.string("link_layer", identity.link_layer);
    fields.string("phys_state", identity.phys_state);
    fields.strings("netdevs", identity.netdevs);
    fields.string("bond", identity.bond);
    fields.boolean("default_route", identity.default_route);
    return fields.status();
}

JsonValue to_json(const GidReading& gid) {
    return JsonValue::object().set("index", gid.index).set("gid", gid.gid).set("type", gid.type);
}

Status from_json(const JsonNode& node, GidReading& gid) {
    JsonFields fields(node);
    fields.integer("index", gid.index);
    fields.string("gid", gid.gid);
    fields.string("type", gid.type);
    return fields.status();
}

}  // namespace yardmaster
