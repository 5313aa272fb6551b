#include "healthcheck/nccl/nccl_baseline.hpp"

#include <algorithm>

#include "healthcheck/json_fields.hpp"

namespace yardmaster {
namespace {

JsonValue start_to_json(const NcclStart& start) {
    return to_json(start);
}

JsonValue baseline_to_json(const NcclBaseline& baseline) {
    return to_json(baseline);
}

/// Takes the baseline of `conditions` out of the list, or a new one.
NcclBaseline take(const NcclConditions& conditions, std::vector<NcclBaseline>& all) {
    const auto found = std::find_if(all.begin(), all.end(), [&](const NcclBaseline& baseline) {
        return baseline.conditions == conditions;
    });
    if (found == all.end()) {
        return {conditions, {}};
    }
    NcclBaseline baseline = std::move(*found);
    all.erase(found);
    return baseline;
}

}  // namespace

std::optional<double> expected_busbw(const NcclBaseline& baseline) {
    std::vector<double> sorted = baseline.busbw;
    if (sorted.empty()) {
        return std::nullopt;
    }
    std::sort(sorted.begin(), sorted.end());
    return (sorted[(sorted.size() - 1) / 2] + sorted[sorted.size() / 2]) / 2;
}

const NcclBaseline* find_baseline(const std::vector<NcclBaseline>& all,
                                  const NcclConditions& conditions) {
    const auto found = std::find_if(all.begin(), all.end(), [&](const NcclBaseline& baseline) {
        return baseline.conditions == conditions;
    });
    return found == all.end() ? nullptr : &*found;
}

void learn_busbw(const NcclConditions& conditions,
                 double busbw,
                 double max_loss,
                 NcclBaselines& baselines) {
    NcclBaseline baseline = take(conditions, baselines.all);
    const double expected = expected_busbw(baseline).value_or(busbw);
    if (busbw * (1 - max_loss) > expected) {
        baseline.busbw = {busbw};
    } else if (busbw >= expected * (1 - max_loss) && baseline.busbw.size() < kNcclBaselineFull) {
        baseline.busbw.push_back(busbw);
    }
    baselines.all.push_back(std::move(baseline));
    if (baselines.all.size() > kNcclBaselinesKept) {
        baselines.all.erase(baselines.all.begin());
    }
}

JsonValue to_json(const NcclBaseline& baseline) {
    const NcclConditions& c = baseline.conditions;
    return JsonValue::object()
        .set("model", c.model)
        .set("gpus", c.gpus)
        .set("set", c.set)
        .set("driver", c.driver)
        .set("nccl", c.nccl)
        .set("site_conf", c.site_conf)
        .set("bytes", c.bytes)
        .set("busbw", json_array_of(baseline.busbw));
}

JsonValue to_json(const NcclBaselines& baselines) {
    return JsonValue::object()
        .set("baselines", json_array_of(baselines.all, baseline_to_json))
        .set("starts", json_array_of(baselines.starts, start_to_json));
}

Status from_json(const JsonNode& node, NcclBaseline& baseline) {
    NcclConditions& c = baseline.conditions;
    JsonFields fields(node);
    fields.string("model", c.model);
    fields.integer("gpus", c.gpus);
    fields.string("set", c.set);
    fields.string("driver", c.driver);
    fields.string("nccl", c.nccl);
    fields.string("site_conf", c.site_conf);
    fields.integer("bytes", c.bytes);
    fields.numbers("busbw", baseline.busbw);
    return fields.status();
}

Status from_json(const JsonNode& node, NcclBaselines& baselines) {
    JsonFields fields(node);
    fields.list("baselines", baselines.all, [](const JsonNode& value, NcclBaseline& baseline) {
        return from_json(value, baseline);
    });
    if (fields.has("starts")) {  // those kept before starts were
        fields.list("starts", baselines.starts, [](const JsonNode& value, NcclStart& start) {
            return from_json(value, start);
        });
    }
    return fields.status();
}

}  // namespace yardmaster
