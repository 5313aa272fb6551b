#include "prolog/last_passive.hpp"

#include "base/json_value.hpp"
#include "healthcheck/json_fields.hpp"

namespace yardmaster {

PassiveConclusion conclusion_of(const Evidence& evidence) {
    PassiveConclusion conclusion;
    conclusion.verdict = to_string(evidence.report.verdict);
    for (const Finding& finding : evidence.report.findings) {
        conclusion.findings += finding.sign + " " + finding.object + "; ";
    }
    conclusion.out_of_service = evidence.action.enforced;
    conclusion.outcome = conclusion.out_of_service ? "" : evidence.action.outcome;
    return conclusion;
}

JsonValue to_json(const PassiveConclusion& conclusion) {
    return JsonValue::object()
        .set("verdict", conclusion.verdict)
        .set("findings", conclusion.findings)
        .set("out_of_service", conclusion.out_of_service)
        .set("outcome", conclusion.outcome);
}

Status from_json(const JsonNode& node, PassiveConclusion& conclusion) {
    JsonFields fields(node);
    fields.string("verdict", conclusion.verdict);
    fields.string("findings", conclusion.findings);
    fields.boolean("out_of_service", conclusion.out_of_service);
    fields.string("outcome", conclusion.outcome);
    return fields.status();
}

}  // namespace yardmaster
