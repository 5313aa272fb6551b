#include "healthcheck/rdma/rdma_judge.hpp"

#include <algorithm>
#include <map>

#include "healthcheck/rdma/pair_history.hpp"

namespace yardmaster {
namespace {

Finding unknown(const std::string& object, const std::string& sign, std::string detail) {
    Finding finding;
    finding.check = "rdma";
    finding.object = object;
    finding.sign = sign;
    finding.detail = std::move(detail);
    return finding;
}

/// Names of the pairs that have an unknown symptom of one sign: one finding, not eight.
void add_unknowns(const std::vector<PairHistory>& histories, std::vector<Finding>& findings) {
    std::map<std::string, std::string> by_sign;
    for (const PairHistory& history : histories) {
        if (history.last.kind == RdmaSymptom::Kind::kUnknown) {
            std::string& text = by_sign[history.last.sign];
            text +=
                (text.empty() ? "" : "; ") + pair_name(history.pair) + ": " + history.last.detail;
        }
    }
    for (const auto& [sign, text] : by_sign) {
        findings.push_back(unknown("", sign, text));
    }
}

void blame(const RdmaPort& port,
           const PairHistory& history,
           const std::string& more,
           std::vector<Finding>& findings) {
    const auto same = std::find_if(findings.begin(), findings.end(), [&](const Finding& other) {
        return other.object == port_name(port) && other.sign == history.first_bad.sign;
    });
    if (same != findings.end()) {
        same->repeated = same->repeated || history.repeated;
        return;
    }
    Finding finding =
        unknown(port_name(port),
                history.first_bad.sign,
                pair_name(history.pair) + ": " + history.first_bad.detail + more +
                    (history.repeated ? "; measured again, bad again" : "; measured once"));
    finding.verdict = Verdict::kDegraded;
    finding.repeated = history.repeated;
    finding.short_text = history.first_bad.short_text;
    findings.push_back(std::move(finding));
}

void blame_ends(const PairHistory& history,
                const std::vector<PairHistory>& all,
                std::vector<Finding>& findings) {
    const std::vector<RdmaPort> culprits = culprits_of(history, all);
    const bool open = culprits.size() > 1;
    for (const RdmaPort& port : culprits) {
        blame(port, history, open ? " (either end)" : "", findings);
    }
}

std::vector<Finding> judge_missing(const RdmaReading& reading) {
    if (!reading.not_run.empty()) {
        return reading.needed ? std::vector<Finding>{unknown("", "rdma.not-run", reading.not_run)}
                              : std::vector<Finding>{};
    }
    if (!reading.ended) {
        return {
            unknown("", "rdma.outstanding", "the probe did not end in time, at: " + reading.step)};
    }
    return {};
}

}  // namespace

std::vector<Finding> judge_rdma(const RdmaReading& reading) {
    if (!reading.asked) {
        return {};
    }
    const std::vector<PairHistory> histories = histories_of(reading);
    std::vector<Finding> findings;
    for (const PairHistory& history : histories) {
        if (history.bad) {
            blame_ends(history, histories, findings);
        }
    }
    add_unknowns(histories, findings);
    for (Finding& finding : judge_missing(reading)) {
        findings.push_back(std::move(finding));
    }
    return findings;
}

}  // namespace yardmaster
