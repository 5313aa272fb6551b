// yardmaster.json, key by key, from the tables that its readers use.
#include "docgen/parts.hpp"
#include "prolog/policy_keys.hpp"
#include "topology/placement_keys.hpp"

namespace yardmaster::docgen {
namespace {

std::string facts(const ConfigKeyText& key) {
    std::string text = key.type;
    if (!key.unit.empty()) {
        text += " (" + key.unit + ")";
    }
    if (!key.limits.empty()) {
        text += ", " + key.limits;
    }
    return text + "; default `" + key.default_value + "`; since " + key.since;
}

}  // namespace

std::string policy_keys_part() {
    std::string text = "| key | type and limits | meaning |\n|---|---|---|\n";
    for (const auto& section :
         {describe_config(policy_keys()), describe_config(placement_keys())}) {
        for (const ConfigKeyText& key : section) {
            text += "| `" + key.path + "` | " + facts(key) + " | " + key.meaning;
            text += (key.source.empty() ? "" : " Source: " + key.source) + " |\n";
        }
    }
    return text;
}

}  // namespace yardmaster::docgen
