#include "tests/sim/scenario.hpp"

#include <cstdio>
#include <fstream>

#include "base/json_value.hpp"
#include "healthcheck/json_fields.hpp"

namespace yardmaster::sim {
namespace {

JsonValue fabric_to_json(const SimFabric& fabric) {
    return JsonValue::object()
        .set("code", fabric.code)
        .set("state", fabric.state)
        .set("status", fabric.status)
        .set("clique", fabric.clique)
        .set("cluster_uuid", fabric.cluster_uuid)
        .set("health", fabric.health)
        .set("summary", fabric.summary);
}

Status fabric_from_json(const JsonNode& node, SimFabric& fabric) {
    JsonFields fields(node);
    fields.integer("code", fabric.code);
    fields.integer("state", fabric.state);
    fields.integer("status", fabric.status);
    fields.integer("clique", fabric.clique);
    fields.string("cluster_uuid", fabric.cluster_uuid);
    fields.integer("health", fabric.health);
    fields.integer("summary", fabric.summary);
    return fields.status();
}

JsonValue link_field_to_json(const SimLinkField& field) {
    return JsonValue::object()
        .set("id", field.id)
        .set("link", field.link)
        .set("value", field.value);
}

Status link_field_from_json(const JsonNode& node, SimLinkField& field) {
    JsonFields fields(node);
    fields.integer("id", field.id);
    fields.integer("link", field.link);
    fields.integer("value", field.value);
    return fields.status();
}

JsonValue gpu_to_json(const SimGpu& gpu) {
    return JsonValue::object()
        .set("minor", gpu.minor)
        .set("model", gpu.model)
        .set("uuid", gpu.uuid)
        .set("pci", gpu.pci)
        .set("links", gpu.links)
        .set("links_down", json_array_of(gpu.links_down))
        .set("lost", gpu.lost)
        .set("missing", gpu.missing)
        .set("ecc_uncorrected", gpu.ecc_uncorrected)
        .set("remap_pending", gpu.remap_pending)
        .set("remap_failed", gpu.remap_failed)
        .set("mig", gpu.mig)
        .set("recovery_action", gpu.recovery_action)
        .set("clock_reasons", gpu.clock_reasons)
        .set("pcie_width", gpu.pcie_width)
        .set("pcie_generation_max", gpu.pcie_generation_max)
        .set("pcie_replays", gpu.pcie_replays)
        .set("processes", gpu.processes)
        .set("switch_links", gpu.switch_links)
        .set("nvlink5", gpu.nvlink5)
        .set("fabric", fabric_to_json(gpu.fabric))
        .set("link_fields", json_array_of(gpu.link_fields, link_field_to_json))
        .set("no_path", json_array_of(gpu.no_path));
}

void read_nvlink(JsonFields& fields, SimGpu& gpu) {
    fields.integer("switch_links", gpu.switch_links);
    fields.boolean("nvlink5", gpu.nvlink5);
    fields.read("fabric",
                [&](const JsonNode& value) { return fabric_from_json(value, gpu.fabric); });
    fields.list("link_fields", gpu.link_fields, link_field_from_json);
    fields.integers("no_path", gpu.no_path);
}

Status gpu_from_json(const JsonNode& node, SimGpu& gpu) {
    JsonFields fields(node);
    fields.integer("minor", gpu.minor);
    fields.string("model", gpu.model);
    fields.string("uuid", gpu.uuid);
    fields.string("pci", gpu.pci);
    fields.integer("links", gpu.links);
    fields.integers("links_down", gpu.links_down);
    fields.boolean("lost", gpu.lost);
    fields.boolean("missing", gpu.missing);
    fields.integer("ecc_uncorrected", gpu.ecc_uncorrected);
    fields.boolean("remap_pending", gpu.remap_pending);
    fields.boolean("remap_failed", gpu.remap_failed);
    fields.boolean("mig", gpu.mig);
    fields.integer("recovery_action", gpu.recovery_action);
    fields.integer("clock_reasons", gpu.clock_reasons);
    fields.integer("pcie_width", gpu.pcie_width);
    fields.integer("pcie_generation_max", gpu.pcie_generation_max);
    fields.integer("pcie_replays", gpu.pcie_replays);
    fields.integer("processes", gpu.processes);
    read_nvlink(fields, gpu);
    return fields.status();
}

}  // namespace

Result<Scenario> load_scenario(const std::string& file) {
    auto document = JsonDocument::load(file);
    if (!document) {
        return document.status();
    }
    Scenario scenario;
    JsonFields fields(document->root());
    fields.string("driver", scenario.driver);
    fields.number("hang_s", scenario.hang_s);
    fields.integer("init_code", scenario.init_code);
    fields.integer("fabric_version", scenario.fabric_version);
    fields.boolean("old_fields", scenario.old_fields);
    fields.list("gpus", scenario.gpus, gpu_from_json);
    if (!fields.status()) {
        return fields.status().with_context(file);
    }
    return scenario;
}

Status save_scenario(const Scenario& scenario, const std::string& file) {
    JsonValue object = JsonValue::object();
    object.set("driver", scenario.driver).set("hang_s", scenario.hang_s);
    object.set("fabric_version", scenario.fabric_version).set("old_fields", scenario.old_fields);
    object.set("init_code", scenario.init_code)
        .set("gpus", json_array_of(scenario.gpus, gpu_to_json));
    const std::string temporary = file + ".tmp";
    std::ofstream out(temporary);
    out << object.dump_exact(1) << "\n";
    out.close();
    if (!out || std::rename(temporary.c_str(), file.c_str()) != 0) {
        return {ErrorCode::kUnreadable, file + ": could not be written"};
    }
    return Status::ok();
}

}  // namespace yardmaster::sim
