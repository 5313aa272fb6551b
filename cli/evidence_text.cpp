#include "cli/evidence_text.hpp"

#include <algorithm>

#include "cli/evidence_objects.hpp"
#include "cli/table.hpp"
#include "cli/words.hpp"

namespace yardmaster::cli {
namespace {

std::string asked_by(const Evidence& evidence) {
    const std::uint32_t job = evidence.report.scope.job;
    const std::string of_job = job != 0 ? " of job " + std::to_string(job) : "";
    if (evidence.occasion == kOccasionProlog) {
        return "the prolog" + of_job;
    }
    if (evidence.occasion == kOccasionPassive) {
        return job != 0 ? "the epilog" + of_job : "the health check between jobs";
    }
    return "`yardmaster " + evidence.occasion + "`";
}

/// The whole conclusions, each with all that was said of it.
void print_findings(const Report& report, std::ostream& out) {
    for (const Finding& finding : report.findings) {
        out << "  " << finding.sign << " (" << to_string(finding.verdict)
            << (finding.certain ? ", certain" : "") << "): " << sentence_of(finding) << '\n';
    }
}

void print_action(const Action& action, std::ostream& out) {
    out << "Done: " << action.outcome << (action.why.empty() ? "" : ", " + action.why) << '\n';
    if (!action.reason.empty()) {
        out << (action.outcome == "drained" ? "  reason: " : "  the reason would have been: ")
            << action.reason << '\n';
    }
}

void print_objects(const Report& report, std::ostream& out) {
    Table table({"OBJECT", "EXPECTED", "READ", "CONCLUDED"});
    for (const ObjectStory& story : object_stories(report)) {
        table.add({story.object, story.expected, story.read, story.concluded});
    }
    if (!table.empty()) {
        table.print(out);
        out << '\n';
    }
}

}  // namespace

void print_evidence(const Evidence& evidence, const std::string& file, std::ostream& out) {
    const Report& report = evidence.report;
    out << evidence.id << ": " << report.scope.node << ", " << time_text(evidence.time) << ", for "
        << asked_by(evidence) << ", version " << evidence.version << ", " << report.took.count()
        << " ms\n";
    for (const std::string& why : report.readings.simulated) {
        out << "SIMULATED: " << why << '\n';
    }
    out << '\n';
    print_objects(report, out);
    if (!report.scope.rails_unknown.empty()) {
        out << "rails not known: " << report.scope.rails_unknown << '\n';
    }
    for (const std::string& note : report.readings.notes) {
        out << "note: " << note << '\n';
    }
    out << "Verdict: " << to_string(report.verdict) << '\n';
    print_findings(report, out);
    print_action(evidence.action, out);
    out << "File: " << file << " (all readings; --json prints them)\n";
}

}  // namespace yardmaster::cli
