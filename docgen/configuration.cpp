// yardmaster.json, key by key, from the table that its reader uses.
#include "docgen/parts.hpp"
#include "prolog/policy_keys.hpp"

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
    for (const ConfigKeyText& key : describe_config(policy_keys())) {
        text += "| `" + key.path + "` | " + facts(key) + " | " + key.meaning;
        text += (key.source.empty() ? "" : " Source: " + key.source) + " |\n";
    }
    return text;
}

}  // namespace yardmaster::docgen
