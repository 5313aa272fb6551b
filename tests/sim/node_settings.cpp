#include "tests/sim/node_settings.hpp"

#include <fstream>

#include "base/json_value.hpp"
#include "healthcheck/json_fields.hpp"
#include "tests/sim/model.hpp"

namespace yardmaster::sim {

NodeSettings default_settings() {
    NodeSettings settings;
    settings.library = YM_FAKE_NVML;
    set_gpus(settings, 8);
    return settings;
}

Status set_model(NodeSettings& settings, const std::string& model) {
    const SimModel* found = find_sim_model(model);
    if (found == nullptr) {
        return {ErrorCode::kInvalidArgument,
                "no model \"" + model + "\", must be one of " + sim_model_names()};
    }
    settings.model = model;
    settings.rail_gbps = found->rail_gbps;
    set_gpus(settings, found->gpus);
    return Status::ok();
}

void set_gpus(NodeSettings& settings, unsigned count) {
    settings.minors.clear();
    settings.rails.clear();
    for (unsigned i = 0; i < count; ++i) {
        settings.minors.push_back(i);
        settings.rails.push_back("mlx5_" + std::to_string(i));
    }
    settings.storage = "mlx5_" + std::to_string(count);
}

Result<NodeSettings> load_settings(const std::string& file) {
    auto document = JsonDocument::load(file);
    if (!document) {
        return document.status();
    }
    NodeSettings settings;
    JsonFields fields(document->root());
    fields.string("node", settings.node);
    fields.integer("virtual_functions", settings.virtual_functions);
    fields.boolean("two_ports", settings.two_ports);
    fields.string("model", settings.model);
    fields.integers("minors", settings.minors);
    fields.strings("rails", settings.rails);
    fields.number("rail_gbps", settings.rail_gbps);
    fields.string("storage", settings.storage);
    fields.string("management", settings.management);
    fields.string("wire", settings.wire);
    fields.string("library", settings.library);
    if (!fields.status()) {
        return fields.status().with_context(file);
    }
    return settings;
}

Status save_settings(const NodeSettings& settings, const std::string& file) {
    JsonValue object = JsonValue::object();
    object.set("node", settings.node).set("model", settings.model);
    object.set("virtual_functions", settings.virtual_functions)
        .set("two_ports", settings.two_ports);
    object.set("minors", json_array_of(settings.minors))
        .set("rails", json_array_of(settings.rails));
    object.set("rail_gbps", settings.rail_gbps).set("storage", settings.storage);
    object.set("management", settings.management).set("library", settings.library);
    object.set("wire", settings.wire);
    std::ofstream out(file);
    out << object.dump_exact(1) << "\n";
    out.close();
    return out ? Status::ok() : Status(ErrorCode::kUnreadable, file + ": could not be written");
}

}  // namespace yardmaster::sim
