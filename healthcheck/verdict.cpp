#include "healthcheck/verdict.hpp"

#include <algorithm>

namespace yardmaster {
namespace {

bool degraded(const Finding& finding) {
    return finding.verdict == Verdict::kDegraded;
}

bool certainly_degraded(const Finding& finding) {
    return degraded(finding) && finding.certain;
}

bool two_independent_signs(const std::vector<Finding>& findings) {
    const auto first = std::find_if(findings.begin(), findings.end(), degraded);
    return std::any_of(first, findings.end(), [&](const Finding& other) {
        return degraded(other) && other.sign != first->sign;
    });
}

}  // namespace

std::string sentence_of(const Finding& finding) {
    return finding.object.empty() ? finding.detail : finding.object + ": " + finding.detail;
}

std::string_view to_string(Verdict verdict) {
    switch (verdict) {
        case Verdict::kHealthy:
            return "healthy";
        case Verdict::kDegraded:
            return "degraded";
        case Verdict::kUnknown:
            break;
    }
    return "unknown";
}

Result<Verdict> parse_verdict(std::string_view word) {
    for (Verdict verdict : {Verdict::kHealthy, Verdict::kUnknown, Verdict::kDegraded}) {
        if (word == to_string(verdict)) {
            return verdict;
        }
    }
    return Status(ErrorCode::kMalformed,
                  "verdict is \"" + std::string(word) + "\", must be healthy, unknown or degraded");
}

bool is_certain(const std::vector<Finding>& findings) {
    return std::any_of(findings.begin(), findings.end(), certainly_degraded);
}

Verdict combine(const std::vector<Finding>& findings) {
    if (is_certain(findings) || two_independent_signs(findings)) {
        return Verdict::kDegraded;
    }
    return findings.empty() ? Verdict::kHealthy : Verdict::kUnknown;
}

const Finding* primary(const std::vector<Finding>& findings) {
    for (auto wanted : {certainly_degraded, degraded}) {
        const auto found = std::find_if(findings.begin(), findings.end(), wanted);
        if (found != findings.end()) {
            return &*found;
        }
    }
    return findings.empty() ? nullptr : &findings.front();
}

}  // namespace yardmaster
