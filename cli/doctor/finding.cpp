#include "cli/doctor/finding.hpp"

#include <array>
#include <utility>

#include "healthcheck/json_fields.hpp"

namespace yardmaster::cli::doctor {
namespace {

constexpr std::array kSeverities{
    Severity::kOk, Severity::kNote, Severity::kNotChecked, Severity::kWarning, Severity::kError};

Status parse_severity(const JsonNode& node, Severity& severity) {
    const auto word = node.string();
    if (!word) {
        return word.status();
    }
    for (const Severity known : kSeverities) {
        if (to_string(known) == *word) {
            severity = known;
            return Status::ok();
        }
    }
    return node.error("must be a severity");
}

}  // namespace

std::string_view to_string(Severity severity) {
    switch (severity) {
        case Severity::kOk:
            return "ok";
        case Severity::kNote:
            return "note";
        case Severity::kNotChecked:
            return "not checked";
        case Severity::kWarning:
            return "warning";
        case Severity::kError:
            return "error";
    }
    return "error";
}

void Findings::ok(std::string check, Seen seen, std::string text) {
    add({Severity::kOk, std::move(check), std::move(text), std::move(seen), ""});
}

void Findings::note(std::string check, Seen seen, std::string text, std::string remedy) {
    add({Severity::kNote, std::move(check), std::move(text), std::move(seen), std::move(remedy)});
}

void Findings::not_checked(std::string check, Seen seen, std::string why, std::string remedy) {
    add({Severity::kNotChecked,
         std::move(check),
         std::move(why),
         std::move(seen),
         std::move(remedy)});
}

void Findings::warning(std::string check, Seen seen, std::string text, std::string remedy) {
    add({Severity::kWarning,
         std::move(check),
         std::move(text),
         std::move(seen),
         std::move(remedy)});
}

void Findings::error(std::string check, Seen seen, std::string text, std::string remedy) {
    add({Severity::kError, std::move(check), std::move(text), std::move(seen), std::move(remedy)});
}

JsonValue to_json(const Finding& finding) {
    return JsonValue::object()
        .set("severity", to_string(finding.severity))
        .set("check", finding.check)
        .set("text", finding.text)
        .set("value", finding.seen.value)
        .set("place", finding.seen.place)
        .set("remedy", finding.remedy);
}

Status from_json(const JsonNode& node, Finding& finding) {
    JsonFields fields(node);
    fields.read("severity",
                [&](const JsonNode& value) { return parse_severity(value, finding.severity); });
    fields.string("check", finding.check);
    fields.string("text", finding.text);
    fields.string("value", finding.seen.value);
    fields.string("place", finding.seen.place);
    fields.string("remedy", finding.remedy);
    return fields.status();
}

}  // namespace yardmaster::cli::doctor
