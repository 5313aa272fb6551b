#include "base/json_value.hpp"
#include "healthcheck/json_fields.hpp"
#include "prolog/journal.hpp"

namespace yardmaster {
namespace {

JsonValue object_to_json(const JournalObject& object) {
    JsonValue json = JsonValue::object();
    json.set("object", object.object).set("sign", object.sign);
    if (object.rail) {
        json.set("rail", *object.rail);
    }
    if (!object.firmware.empty()) {
        json.set("firmware", object.firmware);
    }
    return json;
}

Status object_from_json(const JsonNode& node, JournalObject& object) {
    JsonFields fields(node);
    fields.string("object", object.object);
    fields.string("sign", object.sign);
    fields.optional_integer("rail", object.rail);
    if (fields.has("firmware")) {
        fields.string("firmware", object.firmware);
    }
    return fields.status();
}

void read_verdict(JsonFields& fields, Verdict& verdict) {
    fields.read("verdict", [&](const JsonNode& value) {
        const auto word = value.string();
        const auto parsed = word ? parse_verdict(*word) : Result<Verdict>(word.status());
        if (parsed) {
            verdict = *parsed;
        }
        return parsed.status();
    });
}

}  // namespace

JsonValue to_json(const JournalEntry& entry) {
    return JsonValue::object()
        .set("time", entry.time)
        .set("node", entry.node)
        .set("job", entry.job)
        .set("occasion", entry.occasion)
        .set("verdict", to_string(entry.verdict))
        .set("action", entry.action)
        .set("why", entry.why)
        .set("cause", entry.cause)
        .set("driver", entry.driver)
        .set("evidence", entry.evidence_id)
        .set("simulated", entry.simulated)
        .set("objects", json_array_of(entry.objects, object_to_json));
}

Status from_json(const JsonNode& node, JournalEntry& entry) {
    JsonFields fields(node);
    fields.integer("time", entry.time);
    fields.string("node", entry.node);
    fields.integer("job", entry.job);
    fields.string("occasion", entry.occasion);
    read_verdict(fields, entry.verdict);
    fields.string("action", entry.action);
    fields.string("why", entry.why);
    fields.string("cause", entry.cause);
    fields.string("driver", entry.driver);
    fields.string("evidence", entry.evidence_id);
    fields.boolean("simulated", entry.simulated);
    fields.list("objects", entry.objects, object_from_json);
    return fields.status();
}

}  // namespace yardmaster
