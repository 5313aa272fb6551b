#include "healthcheck/baseline/proven.hpp"

#include <algorithm>
#include <cmath>

#include "healthcheck/baseline/counter_baseline.hpp"
#include "healthcheck/json_fields.hpp"

namespace yardmaster {
namespace {

JsonValue pass_to_json(const ProvenPass& pass) {
    return JsonValue::object()
        .set("check", pass.check)
        .set("object", pass.object.name)
        .set("uptime_s", pass.uptime_s)
        .set("counters", counters_to_json(pass.object.counters));
}

Status pass_from_json(const JsonNode& node, ProvenPass& pass) {
    JsonFields fields(node);
    fields.string("check", pass.check);
    fields.string("object", pass.object.name);
    fields.number("uptime_s", pass.uptime_s);
    fields.read("counters", [&](const JsonNode& value) {
        return counters_from_json(value, pass.object.counters);
    });
    return fields.status();
}

const ProvenPass* find_pass(const ProvenState& state,
                            const std::string& check,
                            const std::string& object) {
    const auto found =
        std::find_if(state.passes.begin(), state.passes.end(), [&](const ProvenPass& pass) {
            return pass.check == check && pass.object.name == object;
        });
    return found == state.passes.end() ? nullptr : &*found;
}

std::string minutes_text(double seconds) {
    return std::to_string(std::lround(std::ceil(seconds / 60))) + " min";
}

}  // namespace

JsonValue to_json(const ProvenState& state) {
    return JsonValue::object()
        .set("format", 1)
        .set("boot_id", state.boot_id)
        .set("driver", state.driver)
        .set("passes", json_array_of(state.passes, pass_to_json));
}

Status from_json(const JsonNode& node, ProvenState& state) {
    JsonFields fields(node);
    unsigned format = 0;
    fields.integer("format", format);
    fields.string("boot_id", state.boot_id);
    fields.string("driver", state.driver);
    fields.list("passes", state.passes, pass_from_json);
    if (fields.status() && format != 1) {
        return node.error("has a format that this version does not read, must be 1");
    }
    return fields.status();
}

std::optional<std::string> proven_lately(const ProvenState& state,
                                         const std::string& check,
                                         const std::vector<ProvenObject>& objects,
                                         double now_s,
                                         std::chrono::seconds max_age) {
    double oldest_s = -1;
    for (const ProvenObject& object : objects) {
        const ProvenPass* pass = find_pass(state, check, object.name);
        const double age_s = pass != nullptr ? now_s - pass->uptime_s : -1;
        if (age_s < 0 || age_s >= static_cast<double>(max_age.count()) || object.counters.empty() ||
            pass->object.counters != object.counters) {
            return std::nullopt;
        }
        oldest_s = std::max(oldest_s, age_s);
    }
    if (oldest_s < 0) {
        return std::nullopt;
    }
    return "all that it would measure has passed within the last " + minutes_text(oldest_s) +
           ", and no error counter has moved since";
}

void drop_passes(const std::string& check,
                 const std::vector<ProvenObject>& objects,
                 ProvenState& state) {
    std::erase_if(state.passes, [&](const ProvenPass& pass) {
        return pass.check == check &&
               std::any_of(objects.begin(), objects.end(), [&](const ProvenObject& object) {
                   return object.name == pass.object.name;
               });
    });
}

void add_passes(const std::string& check,
                const std::vector<ProvenObject>& objects,
                double now_s,
                ProvenState& state) {
    drop_passes(check, objects, state);
    for (const ProvenObject& object : objects) {
        state.passes.push_back({check, object, now_s});
    }
}

}  // namespace yardmaster
