#include "prolog/soft_state.hpp"

#include <algorithm>
#include <iterator>
#include <vector>

#include "healthcheck/json_fields.hpp"
#include "healthcheck/reason.hpp"

namespace yardmaster {
namespace {

bool is_soft(const Finding& finding) {
    return finding.verdict == Verdict::kDegraded || finding.sign == "wiring.nearest";
}

}  // namespace

std::string wanted_extra(const SoftState& state) {
    return state.mark ? format_soft_mark(*state.mark) : "";
}

std::string soft_cause(const Evidence& evidence) {
    const std::vector<Finding>& findings = evidence.report.findings;
    std::vector<Finding> soft;
    std::copy_if(findings.begin(), findings.end(), std::back_inserter(soft), is_soft);
    const Finding* finding = primary(soft);
    if (finding == nullptr || evidence.action.enforced) {
        return "";
    }
    Finding named = *finding;
    named.short_text = named.short_text.empty() ? named.check : named.short_text;
    const bool simulated = !evidence.report.readings.simulated.empty();
    return cause_of(named) + (simulated ? " SIMULATED" : "");
}

SoftState next_soft_state(SoftState last,
                          const std::string& cause,
                          std::time_t now,
                          std::chrono::seconds clear_after) {
    const bool counts = last.mark && last.mark->in_force(now);
    if (cause.empty()) {
        last.mark = counts ? last.mark : std::nullopt;
    } else if (!counts) {
        last.mark = SoftMark{cause, now, now + clear_after.count()};
    } else if (last.mark->until - now < clear_after.count() / 2) {
        last.mark = SoftMark{cause, last.mark->since, now + clear_after.count()};
    }
    return last;
}

JsonValue to_json(const SoftState& state) {
    return JsonValue::object()
        .set("extra", wanted_extra(state))
        .set("told", state.told)
        .set("taken", state.taken);
}

Status from_json(const JsonNode& node, SoftState& state) {
    JsonFields fields(node);
    std::string extra;
    fields.string("extra", extra);
    fields.string("told", state.told);
    fields.boolean("taken", state.taken);
    state.mark = parse_soft_mark(extra);
    return fields.status();
}

}  // namespace yardmaster
