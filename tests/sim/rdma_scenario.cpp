#include "tests/sim/rdma_scenario.hpp"

#include <cstdio>
#include <fstream>

#include "base/json_value.hpp"
#include "healthcheck/json_fields.hpp"

namespace yardmaster::sim {
namespace {

Status nic_from_json(const JsonNode& node, SimNic& nic) {
    JsonFields fields(node);
    fields.number("share", nic.share);
    fields.string("fault", nic.fault);
    return fields.status();
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
    fields.read("nics", [&](const JsonNode& node) { return nics_from_json(node, scenario.nics); });
    return fields.status() ? Result<RdmaScenario>(std::move(scenario))
                           : fields.status().with_context(file);
}

Status save_rdma_scenario(const RdmaScenario& scenario, const std::string& file) {
    JsonValue nics = JsonValue::object();
    for (const auto& [name, nic] : scenario.nics) {
        nics.set(name.c_str(), JsonValue::object().set("share", nic.share).set("fault", nic.fault));
    }
    const JsonValue object = JsonValue::object()
                                 .set("firmware", scenario.firmware)
                                 .set("noise", scenario.noise)
                                 .set("dips", scenario.dips)
                                 .set("seed", scenario.seed)
                                 .set("separate", scenario.separate)
                                 .set("nics", std::move(nics));
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
