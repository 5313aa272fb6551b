#include "topology/cost_weights.hpp"

#include <cstdint>
#include <cstdio>

#include "base/site_file.hpp"
#include "topology/placement_keys.hpp"

namespace yardmaster {

Result<CostWeights> parse_cost_weights(std::string_view json, std::string_view source) {
    return parse_site_file(json, source, placement_keys());
}

std::vector<ChangedWeight> changed_weights(const CostWeights& weights) {
    std::vector<ChangedWeight> changed;
    for (const ConfigKey<CostWeights>& key : placement_keys()) {
        ChangedWeight weight{std::string(key.path.substr(key.path.rfind('.') + 1)),
                             key.field.show(weights),
                             key.field.show({})};
        if (weight.value != weight.default_value) {
            changed.push_back(std::move(weight));
        }
    }
    return changed;
}

std::string weights_text(const CostWeights& weights) {
    std::string text;
    for (const ChangedWeight& weight : changed_weights(weights)) {
        text += (text.empty() ? "" : ", ") + weight.key + " " + weight.value + " (default " +
                weight.default_value + ")";
    }
    return text.empty() ? "the defaults" : text;
}

std::string weights_mark(const CostWeights& weights) {
    const auto changed = changed_weights(weights);
    if (changed.empty()) {
        return "";
    }
    // FNV-1a: the same on every machine and in every version, unlike std::hash.
    std::uint32_t hash = 2166136261U;
    for (const ChangedWeight& weight : changed) {
        for (const char c : weight.key + "=" + weight.value + ";") {
            hash = (hash ^ static_cast<unsigned char>(c)) * 16777619U;
        }
    }
    char digits[9];
    std::snprintf(digits, sizeof digits, "%08x", hash);
    return digits;
}

}  // namespace yardmaster
