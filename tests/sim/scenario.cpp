#include "tests/sim/scenario.hpp"

#include <cstdio>
#include <fstream>

#include "base/json_value.hpp"
#include "healthcheck/json_fields.hpp"

namespace yardmaster::sim {
namespace {

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
        .set("remap_failed", gpu.remap_failed);
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
    fields.list("gpus", scenario.gpus, gpu_from_json);
    if (!fields.status()) {
        return fields.status().with_context(file);
    }
    return scenario;
}

Status save_scenario(const Scenario& scenario, const std::string& file) {
    JsonValue object = JsonValue::object();
    object.set("driver", scenario.driver).set("hang_s", scenario.hang_s);
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
