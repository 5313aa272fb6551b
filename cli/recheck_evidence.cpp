#include "cli/recheck_evidence.hpp"

#include <algorithm>

#include "cli/words.hpp"
#include "healthcheck/judge.hpp"

namespace yardmaster::cli {
namespace {

/// None for a bundle that says nothing of whether the node is well.
std::optional<Evidence> as_judgement(const std::string& file) {
    auto evidence = load_evidence(file);
    if (!evidence) {
        return std::nullopt;
    }
    Report& report = evidence->report;
    report.findings = judge(report.scope, report.readings);
    report.verdict = combine(report.findings);
    const bool counts =
        evidence->occasion == kOccasionRecheck || report.verdict == Verdict::kDegraded;
    return counts ? std::optional(std::move(evidence).value()) : std::nullopt;
}

}  // namespace

std::time_t drain_time(const SlurmNode& node, const DrainReason& reason) {
    const auto name = parse_evidence_id(reason.evidence_id);
    return std::max(node.reason_time, name ? name->time : 0);
}

Result<std::optional<Evidence>> last_judgement(const std::string& directory,
                                               const std::string& node,
                                               std::time_t since,
                                               std::time_t now) {
    const auto ids = list_evidence(directory);
    if (!ids) {
        return ids.status();
    }
    for (auto id = ids->rbegin(); id != ids->rend(); ++id) {
        const auto name = parse_evidence_id(*id);
        if (!name || name->node != node || name->time <= since || name->time > now) {
            continue;
        }
        if (auto judgement = as_judgement(directory + "/" + *id + ".json")) {
            return judgement;
        }
    }
    return std::optional<Evidence>();
}

std::optional<std::string> judgement_objection(const std::optional<Evidence>& judgement,
                                               const DrainReason& reason,
                                               const std::string& node) {
    if (!judgement) {
        return "it has not been re-checked since its drain; on " + node + ": yardmaster recheck " +
               node;
    }
    const Report& report = judgement->report;
    const std::string what =
        (judgement->occasion == kOccasionRecheck ? "the re-check of " : "a later check of ") +
        time_text(judgement->time) + " (" + judgement->id + ")";
    if (report.verdict != Verdict::kHealthy) {
        return what + " found it " + std::string(to_string(report.verdict)) + ": " +
               sentence_of(*primary(report.findings));
    }
    if (!report.readings.simulated.empty() && !reason.simulated) {
        return what + " looked at SIMULATED hardware, the drain was about real hardware";
    }
    return std::nullopt;
}

}  // namespace yardmaster::cli
