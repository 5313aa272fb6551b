#include "healthcheck/nvlink/nvlink_json.hpp"

#include "healthcheck/gpu/nvml_json.hpp"

namespace yardmaster {
namespace {

JsonValue fabric_to_json(const FabricReading& fabric) {
    return JsonValue::object()
        .set("code", fabric.code)
        .set("version", fabric.version)
        .set("state", fabric.state)
        .set("status", fabric.status)
        .set("clique", fabric.clique)
        .set("cluster_uuid", fabric.cluster_uuid)
        .set("health", fabric.health)
        .set("health_summary", fabric.health_summary);
}

Status fabric_from_json(const JsonNode& node, FabricReading& fabric) {
    JsonFields fields(node);
    fields.integer("code", fabric.code);
    fields.integer("version", fabric.version);
    fields.integer("state", fabric.state);
    fields.integer("status", fabric.status);
    fields.integer("clique", fabric.clique);
    fields.string("cluster_uuid", fabric.cluster_uuid);
    fields.integer("health", fabric.health);
    fields.integer("health_summary", fabric.health_summary);
    return fields.status();
}

JsonValue peer_to_json(const PeerReading& peer) {
    return JsonValue::object().set("index", peer.index).set("status", nvml_to_json(peer.status));
}

Status peer_from_json(const JsonNode& node, PeerReading& peer) {
    JsonFields fields(node);
    fields.integer("index", peer.index);
    read_nvml_number(fields, "status", peer.status);
    return fields.status();
}

using LinkFields = std::map<std::string, std::vector<NvmlNumber>>;

JsonValue link_fields_to_json(const LinkFields& fields) {
    JsonValue object = JsonValue::object();
    for (const auto& [name, links] : fields) {
        object.set(name.c_str(), json_array_of(links, nvml_to_json));
    }
    return object;
}

Status link_fields_from_json(const JsonNode& node, LinkFields& fields) {
    auto members = node.members();
    if (!members) {
        return members.status();
    }
    JsonFields object(node);
    for (const auto& member : *members) {
        object.list(member.first.c_str(), fields[member.first], nvml_from_json);
    }
    return object.status();
}

}  // namespace

JsonValue to_json(const NvlinkReading& reading) {
    return JsonValue::object()
        .set("switch_links", nvml_to_json(reading.switch_links))
        .set("fabric", fabric_to_json(reading.fabric))
        .set("fields", link_fields_to_json(reading.fields))
        .set("peers", json_array_of(reading.peers, peer_to_json));
}

Status from_json(const JsonNode& node, NvlinkReading& reading) {
    JsonFields fields(node);
    read_nvml_number(fields, "switch_links", reading.switch_links);
    fields.read("fabric",
                [&](const JsonNode& value) { return fabric_from_json(value, reading.fabric); });
    fields.read("fields", [&](const JsonNode& value) {
        return link_fields_from_json(value, reading.fields);
    });
    fields.list("peers", reading.peers, peer_from_json);
    return fields.status();
}

}  // namespace yardmaster
