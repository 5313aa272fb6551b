#include "tests/sim/nccl_scenario.hpp"

#include <cstdio>
#include <fstream>

#include "base/json_value.hpp"
#include "healthcheck/json_fields.hpp"

namespace yardmaster::sim {

NcclScenario healthy_nccl(const std::string& model) {
    NcclScenario scenario;
    if (model == "a100-hgx") {  // 201, 223 and 230 GB/s at 64 MiB, 256 MiB and 1 GiB
        scenario.peak = 232.2;
        scenario.half_mib = 10;
    } else if (model == "b200-hgx" || model == "gb200-nvl72") {
        scenario.peak = 840;
        scenario.half_mib = 60;
    } else if (model == "h100-pcie") {
        scenario.peak = 42;
        scenario.half_mib = 4;
    }
    return scenario;
}

Result<NcclScenario> load_nccl_scenario(const std::string& file) {
    const auto document = JsonDocument::load(file);
    if (!document) {
        return document.status();
    }
    NcclScenario scenario;
    JsonFields fields(document->root());
    fields.number("peak", scenario.peak);
    fields.number("half_mib", scenario.half_mib);
    fields.number("share", scenario.share);
    fields.number("noise", scenario.noise);
    fields.number("dips", scenario.dips);
    fields.integer("seed", scenario.seed);
    fields.number("init_ms", scenario.init_ms);
    fields.string("fault", scenario.fault);
    fields.integer("cuda_version", scenario.cuda_version);
    fields.integer("nccl_version", scenario.nccl_version);
    return fields.status() ? Result<NcclScenario>(std::move(scenario))
                           : fields.status().with_context(file);
}

Status save_nccl_scenario(const NcclScenario& scenario, const std::string& file) {
    const JsonValue object = JsonValue::object()
                                 .set("peak", scenario.peak)
                                 .set("half_mib", scenario.half_mib)
                                 .set("share", scenario.share)
                                 .set("noise", scenario.noise)
                                 .set("dips", scenario.dips)
                                 .set("seed", scenario.seed)
                                 .set("init_ms", scenario.init_ms)
                                 .set("fault", scenario.fault)
                                 .set("cuda_version", scenario.cuda_version)
                                 .set("nccl_version", scenario.nccl_version);
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
