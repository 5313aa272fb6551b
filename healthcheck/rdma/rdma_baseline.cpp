#include "healthcheck/rdma/rdma_baseline.hpp"

#include <algorithm>

#include "healthcheck/json_fields.hpp"

namespace yardmaster {
namespace {

JsonValue baseline_to_json(const RdmaBaseline& baseline) {
    return to_json(baseline);
}

}  // namespace

JsonValue to_json(const RdmaBaseline& baseline) {
    return JsonValue::object()
        .set("pair", baseline.pair)
        .set("conditions", baseline.conditions)
        .set("gbps", json_array_of(baseline.gbps));
}

JsonValue to_json(const RdmaBaselines& baselines) {
    return JsonValue::object().set("pairs", json_array_of(baselines.pairs, baseline_to_json));
}

Status from_json(const JsonNode& node, RdmaBaseline& baseline) {
    JsonFields fields(node);
    fields.string("pair", baseline.pair);
    fields.string("conditions", baseline.conditions);
    fields.numbers("gbps", baseline.gbps);
    return fields.status();
}

Status from_json(const JsonNode& node, RdmaBaselines& baselines) {
    JsonFields fields(node);
    fields.list("pairs", baselines.pairs, [](const JsonNode& value, RdmaBaseline& baseline) {
        return from_json(value, baseline);
    });
    return fields.status();
}

void learn(const std::string& pair,
           const std::string& conditions,
           double gbps,
           RdmaBaselines& baselines) {
    auto& pairs = baselines.pairs;
    auto own = std::find_if(pairs.begin(), pairs.end(), [&](const RdmaBaseline& baseline) {
        return baseline.pair == pair;
    });
    if (own == pairs.end()) {
        own = pairs.insert(pairs.end(), RdmaBaseline{pair, conditions, {}});
    } else if (own->conditions != conditions) {
        *own = {pair, conditions, {}};
    }
    own->gbps.push_back(gbps);
    if (own->gbps.size() > kBaselineMost) {
        own->gbps.erase(own->gbps.begin());
    }
}

double median_of(std::vector<double> values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

}  // namespace yardmaster
