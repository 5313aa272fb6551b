#include "base/json_value.hpp"
#include "healthcheck/evidence.hpp"
#include "healthcheck/json_fields.hpp"
#include "healthcheck/scope_json.hpp"

namespace yardmaster {
namespace {

constexpr std::int64_t kFormat = 1;

JsonValue finding_to_json(const Finding& finding) {
    return JsonValue::object()
        .set("check", finding.check)
        .set("object", finding.object)
        .set("sign", finding.sign)
        .set("verdict", to_string(finding.verdict))
        .set("certain", finding.certain)
        .set("short_text", finding.short_text)
        .set("detail", finding.detail)
        .set("repeated", finding.repeated);
}

void read_verdict(JsonFields& fields, Verdict& verdict) {
    std::string word;
    fields.string("verdict", word);
    fields.read("verdict", [&](const JsonNode& node) {
        auto parsed = parse_verdict(word);
        if (parsed) {
            verdict = *parsed;
        }
        return parsed.status().with_context(node.path());
    });
}

Status finding_from_json(const JsonNode& node, Finding& finding) {
    JsonFields fields(node);
    fields.string("check", finding.check);
    fields.string("object", finding.object);
    fields.string("sign", finding.sign);
    read_verdict(fields, finding.verdict);
    fields.boolean("certain", finding.certain);
    fields.string("short_text", finding.short_text);
    fields.string("detail", finding.detail);
    if (node.has("repeated")) {  // not in what 0.1 wrote before it had active checks
        fields.boolean("repeated", finding.repeated);
    }
    return fields.status();
}

JsonValue to_json(const Action& action) {
    return JsonValue::object()
        .set("enforced", action.enforced)
        .set("outcome", action.outcome)
        .set("why", action.why)
        .set("reason", action.reason);
}

Status action_from_json(const JsonNode& node, Action& action) {
    JsonFields fields(node);
    fields.boolean("enforced", action.enforced);
    fields.string("outcome", action.outcome);
    fields.string("why", action.why);
    fields.string("reason", action.reason);
    return fields.status();
}

Status check_format(const JsonNode& node) {
    auto format = node.at("format");
    if (!format || !format->integer(1, 1000000)) {
        return node.error("is no evidence bundle: \"format\" is not there or no number");
    }
    if (*format->integer(1, 1000000) != kFormat) {
        return {ErrorCode::kUnsupported, format->path() + ": this version reads format 1 only"};
    }
    return Status::ok();
}

void read_report(JsonFields& fields, Report& report) {
    read_verdict(fields, report.verdict);
    fields.list("findings", report.findings, finding_from_json);
    fields.read("scope", [&](const JsonNode& value) { return from_json(value, report.scope); });
    fields.read("readings",
                [&](const JsonNode& value) { return from_json(value, report.readings); });
    std::int64_t took = 0;
    fields.integer("took_ms", took);
    report.took = std::chrono::milliseconds(took);
}

}  // namespace

JsonValue to_json(const Evidence& evidence) {
    const Report& report = evidence.report;
    return JsonValue::object()
        .set("format", kFormat)
        .set("id", evidence.id)
        .set("version", evidence.version)
        .set("node", report.scope.node)
        .set("job", report.scope.job)
        .set("time", evidence.time)
        .set("occasion", evidence.occasion)
        .set("simulated", !report.readings.simulated.empty())
        .set("verdict", to_string(report.verdict))
        .set("action", to_json(evidence.action))
        .set("findings", json_array_of(report.findings, finding_to_json))
        .set("scope", to_json(report.scope))
        .set("readings", to_json(report.readings))
        .set("took_ms", report.took.count());
}

Status from_json(const JsonNode& node, Evidence& evidence) {
    if (Status status = check_format(node); !status) {
        return status;
    }
    JsonFields fields(node);
    fields.string("id", evidence.id);
    fields.string("version", evidence.version);
    fields.integer("time", evidence.time);
    if (fields.has("occasion")) {
        fields.string("occasion", evidence.occasion);
    }
    fields.read("action",
                [&](const JsonNode& value) { return action_from_json(value, evidence.action); });
    read_report(fields, evidence.report);
    return fields.status();
}

}  // namespace yardmaster
