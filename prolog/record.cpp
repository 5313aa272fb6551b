#include "prolog/record.hpp"

#include "healthcheck/budget/collect.hpp"
#include "healthcheck/reason.hpp"
#include "prolog/journal.hpp"
#include "prolog/log.hpp"
#include "prolog/metrics.hpp"

namespace yardmaster {
namespace {

bool simulated(const Evidence& evidence) {
    return !evidence.report.readings.simulated.empty();
}

/// One line for each part that could not be kept.
void tell(const char* what, const Status& status, int fd) {
    if (!status) {
        write_line(fd, std::string(what) + " not kept: " + status.message());
    }
}

void write_parts(const Evidence& evidence, const HealthPolicy& policy, RecordParts parts, int fd) {
    if (parts.evidence) {
        tell("evidence", write_evidence(evidence, policy.evidence_dir), fd);
    }
    if (parts.journal) {
        const JournalEntry entry = journal_entry(evidence, policy.sources.sysfs_root);
        tell("journal entry", append_journal(entry, policy.journal), fd);
    }
    if (parts.metrics) {
        const Status status =
            publish_run(evidence, policy.sources.state_dir, policy.prometheus_file);
        tell("counters for Prometheus", status, fd);
    }
    write_line(fd, "");  // the end: a writer that died has not got here
}

}  // namespace

void keep_record(const Evidence& evidence,
                 const HealthPolicy& policy,
                 RecordParts parts,
                 Clock::time_point deadline) {
    parts.metrics = parts.metrics && !policy.prometheus_file.empty();
    if (!parts.evidence && !parts.journal && !parts.metrics) {
        return;
    }
    const Task task{"record writer", [&](int fd) { write_parts(evidence, policy, parts, fd); }};
    bool ended = false;
    const auto log = [&](const std::string& line) {
        log_line(LogLevel::kWarning, evidence.id + ": " + line);
    };
    // Lines that came before a hang are told all the same.
    const auto ends = collect({task}, deadline, [&](const std::string& line) {
        ended = line.empty();
        if (!ended) {
            log(line);
        }
        return deadline;
    });
    if (!ended) {
        const std::string& error = ends.front().error;
        log("evidence, journal entry or counters not kept: " +
            (error.empty() ? "their writer did not finish" : error));
    }
}

DrainRequest request_drain(Evidence& evidence, const HealthPolicy& policy) {
    const Finding& finding = *primary(evidence.report.findings);
    const CheckScope& scope = evidence.report.scope;
    DrainReason reason;
    reason.cause = cause_of(finding);
    reason.job = scope.job;
    reason.evidence_id = evidence.id;
    reason.simulated = simulated(evidence);
    reason.detail = sentence_of(finding);
    evidence.action.reason = format_reason(reason);
    DrainRequest request;
    request.node = scope.node;
    request.reason = evidence.action.reason;
    request.cause = reason.cause;
    request.job = scope.job;
    request.breaker = policy.breaker;
    request.now = evidence.time;
    return request;
}

std::string summary_of(const Evidence& evidence, const std::string& outcome) {
    const CheckScope& scope = evidence.report.scope;
    const Finding* finding = primary(evidence.report.findings);
    const std::size_t count = evidence.report.findings.size();
    std::string text = scope.node;
    text += scope.job != 0 ? " job " + std::to_string(scope.job) : "";
    text += ": " + outcome;
    text += finding != nullptr ? ": " + sentence_of(*finding) : "";
    text += count > 1 ? " (+" + std::to_string(count - 1) + " more findings)" : "";
    return text + "; evidence " + evidence.id + (simulated(evidence) ? "; SIMULATED hardware" : "");
}

std::string outcome_of(const Action& action) {
    return "degraded, " + action.outcome + (action.why.empty() ? "" : " (" + action.why + ")");
}

}  // namespace yardmaster
