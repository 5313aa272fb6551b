#include "cli/replay_evidence.hpp"

#include <algorithm>
#include <tuple>

#include "base/json_value.hpp"
#include "cli/table.hpp"
#include "cli/words.hpp"
#include "healthcheck/judge.hpp"

namespace yardmaster::cli {
namespace {

auto key_of(const Finding& finding) {
    return std::tie(finding.check,
                    finding.object,
                    finding.sign,
                    finding.verdict,
                    finding.certain,
                    finding.short_text,
                    finding.detail);
}

/// What of `some` is not in `others`, each as often as it is missing.
std::vector<Finding> missing_from(const std::vector<Finding>& some, std::vector<Finding> others) {
    std::vector<Finding> missing;
    for (const Finding& finding : some) {
        const auto found = std::find_if(others.begin(), others.end(), [&](const Finding& other) {
            return key_of(other) == key_of(finding);
        });
        if (found == others.end()) {
            missing.push_back(finding);
        } else {
            others.erase(found);
        }
    }
    return missing;
}

std::string why_different(const Rejudgement& again) {
    const std::string& version = again.kept.version;
    return version == YM_VERSION
               ? "The same version judged differently: the file was edited, or this is a defect of "
                 "Yardmaster worth a report."
               : "Judged by version " + version +
                     " then and by " YM_VERSION
                     " now: the rules have changed between them (CHANGELOG).";
}

void print_findings(const Rejudgement& again, std::ostream& out) {
    Table table({"FINDING", "OBJECT", "VERDICT", "NOW", "DETAIL"});
    const auto add = [&](const Finding& finding, const char* now) {
        table.add({finding.sign,
                   finding.object.empty() ? "-" : finding.object,
                   std::string(to_string(finding.verdict)) + (finding.certain ? ", certain" : ""),
                   now,
                   finding.detail});
    };
    for (const Finding& finding : missing_from(again.findings, again.fresh)) {
        add(finding, "same");
    }
    for (const Finding& finding : again.gone) {
        add(finding, "gone");
    }
    for (const Finding& finding : again.fresh) {
        add(finding, "new");
    }
    if (!table.empty()) {
        out << '\n';
        table.print(out);
        out << '\n';
    }
}

void print_text(const Rejudgement& again, std::ostream& out) {
    const Report& report = again.kept.report;
    out << again.kept.id << ", judged " << time_text(again.kept.time) << " by version "
        << again.kept.version << ": " << to_string(report.verdict) << '\n';
    print_findings(again, out);
    for (const std::string& why : report.readings.simulated) {
        out << "SIMULATED: " << why << '\n';
    }
    out << "Judged again by version " YM_VERSION ": " << to_string(again.verdict)
        << (again.same() ? ", the same" : ", not the same") << '\n';
    if (!again.same()) {
        out << why_different(again) << '\n';
    }
}

JsonValue finding_json(const Finding& finding) {
    return JsonValue::object()
        .set("object", finding.object)
        .set("sign", finding.sign)
        .set("verdict", to_string(finding.verdict))
        .set("certain", finding.certain)
        .set("detail", finding.detail);
}

JsonValue rejudgement_json(const Rejudgement& again) {
    return JsonValue::object()
        .set("id", again.kept.id)
        .set("same", again.same())
        .set("why", again.same() ? JsonValue(nullptr) : JsonValue(why_different(again)))
        .set("kept_version", again.kept.version)
        .set("version", YM_VERSION)
        .set("kept_verdict", to_string(again.kept.report.verdict))
        .set("verdict", to_string(again.verdict))
        .set("findings", json_array_of(again.findings, finding_json))
        .set("gone", json_array_of(again.gone, finding_json))
        .set("new", json_array_of(again.fresh, finding_json));
}

}  // namespace

Rejudgement rejudge(const Evidence& evidence) {
    Rejudgement again;
    again.kept = evidence;
    again.findings = judge(evidence.report.scope, evidence.report.readings);
    again.verdict = combine(again.findings);
    again.gone = missing_from(evidence.report.findings, again.findings);
    again.fresh = missing_from(again.findings, evidence.report.findings);
    return again;
}

ExitCode run_replay_evidence(const ReplayEvidenceOptions& options, const Console& console) {
    const auto evidence = load_evidence(options.file);
    if (!evidence) {
        return fail(console, evidence.status());
    }
    const Rejudgement again = rejudge(*evidence);
    if (options.json) {
        console.out << rejudgement_json(again).dump() << '\n';
    } else {
        print_text(again, console.out);
    }
    return again.same() ? kExitOk : kExitFindings;
}

}  // namespace yardmaster::cli
