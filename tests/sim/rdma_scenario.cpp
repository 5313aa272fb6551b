#include "tests/sim/rdma_scenario.hpp"

#include <cstdio>
#include <fstream>

#include "base/json_value.hpp"
#include "healthcheck/json_fields.hpp"

namespace yardmaster::sim {
namespace {

Status path_from_json(const JsonNode& node, SimPath& path) {
    JsonFields fields(node);
    fields.number("share", path.share);
    fields.string("fault", path.fault);
    return fields.status();
}

JsonValue path_to_json(const SimPath& path) {
    return JsonValue::object().set("share", path.share).set("fault", path.fault);
}

Status nic_from_json(const JsonNode& node, SimNic& nic) {
    JsonFields fields(node);
    const auto read = [&](const char* name, SimPath& path) {
        fields.read(name, [&](const JsonNode& member) { return path_from_json(member, path); });
    };
    read("all", nic.all);
    read("far_send", nic.far_send);
    read("far_receive", nic.far_receive);
    return fields.status();
}

JsonValue nic_to_json(const SimNic& nic) {
    return JsonValue::object()
        .set("all", path_to_json(nic.all))
        .set("far_send", path_to_json(nic.far_send))
        .set("far_receive", path_to_json(nic.far_receive));
}

Status cut_from_json(const JsonNode& node, SimCut& cut) {
    JsonFields fields(node);
    fields.string("from", cut.from);
    fields.string("folder", cut.folder);
    fields.string("to", cut.to);
    return fields.status();
}

JsonValue cut_to_json(const SimCut& cut) {
    return JsonValue::object().set("from", cut.from).set("folder", cut.folder).set("to", cut.to);
}

Status nics_from_json(const JsonNode& node, std::map<std::string, SimNic>& nics) {
    const auto members = node.members();
    if (!members) {
        return members.status();
    }
    for (const auto& [name, member] : *members) {
        if (Status status = nic_from_json(member, nics[name]); !status) {
            return status;
        }
    }
    return Status::ok();
}

}  // namespace

Result<RdmaScenario> load_rdma_scenario(const std::string& file) {
    const auto document = JsonDocument::load(file);
    if (!document) {
        return document.status();
    }
    RdmaScenario scenario;
    JsonFields fields(document->root());
    fields.string("firmware", scenario.firmware);
    fields.number("noise", scenario.noise);
    fields.number("dips", scenario.dips);
    fields.integer("seed", scenario.seed);
    fields.boolean("separate", scenario.separate);
    fields.string("wire", scenario.wire);
    fields.list("cuts", scenario.cuts, cut_from_json);
    fields.read("nics", [&](const JsonNode& node) { return nics_from_json(node, scenario.nics); });
    return fields.status() ? Result<RdmaScenario>(std::move(scenario))
                           : fields.status().with_context(file);
}

Status save_rdma_scenario(const RdmaScenario& scenario, const std::string& file) {
    JsonValue nics = JsonValue::object();
    for (const auto& [name, nic] : scenario.nics) {
        nics.set(name.c_str(), nic_to_json(nic));
    }
    const JsonValue object = JsonValue::object()
                                 .set("firmware", scenario.firmware)
                                 .set("noise", scenario.noise)
                                 .set("dips", scenario.dips)
                                 .set("seed", scenario.seed)
                                 .set("separate", scenario.separate)
                                 .set("nics", std::move(nics))
                                 .set("wire", scenario.wire)
                                 .set("cuts", json_array_of(scenario.cuts, cut_to_json));
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
