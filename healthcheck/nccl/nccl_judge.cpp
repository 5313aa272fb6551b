#include "healthcheck/nccl/nccl_judge.hpp"

#include <algorithm>
#include <cmath>

#include "healthcheck/nccl/busbw_judge.hpp"

namespace yardmaster {
namespace {

using Proof = SlowSize::Proof;

/// Findings are about the job's GPUs together: all-reduce does not tell which of them it is.
constexpr const char* kObject = "NCCL";
constexpr const char* kFabricManager =
    "the fabric manager has not set up the NVSwitches, or "
    "is not running; this is no slow link";

Finding unknown(const char* sign, std::string detail) {
    Finding finding;
    finding.check = "nccl";
    finding.object = kObject;
    finding.sign = sign;
    finding.detail = std::move(detail);
    return finding;
}

Finding degraded(const char* sign, std::string short_text, std::string detail) {
    Finding finding = unknown(sign, std::move(detail));
    finding.verdict = Verdict::kDegraded;
    finding.short_text = std::move(short_text);
    return finding;
}

bool fabric_fault(const NcclAttempt& attempt) {
    return attempt.fault == NcclFault::kFabricManager;
}

std::string number_text(double value) {
    return std::to_string(std::lround(value));
}

/// The object is not NCCL, which would not fit into the reason's first 20 characters.
Finding fabric_manager(const std::string& what_was_said) {
    Finding finding =
        degraded("nccl.fabric", "manager", what_was_said + ": " + std::string(kFabricManager));
    finding.object = "fabric";
    return finding;
}

Finding fabric_finding(const NcclReading& reading) {
    const auto times =
        std::count_if(reading.attempts.begin(), reading.attempts.end(), fabric_fault);
    Finding finding = fabric_manager(reading.attempts.back().error);
    finding.repeated = times > 1;
    finding.detail += times > 1 ? "; tried again, the same again" : "; met once";
    return finding;
}

/// NCCL went on without NVLS: slower, but right.
void judge_warning(const NcclAttempt& attempt, std::vector<Finding>& findings) {
    if (tells_of_fabric_manager(attempt.warning)) {
        findings.push_back(fabric_manager("NCCL went on, but says \"" + attempt.warning + "\""));
    }
}

std::string sentence_of(const SlowSize& slow) {
    std::string text = "all-reduce of " + size_text(slow.bytes) + " reaches " +
                       number_text(slow.busbw) + " GB/s (busbw), ";
    text += slow.runs == 0 ? "others' nodes with such GPUs " + number_text(slow.expected)
                           : "earlier runs here " + number_text(slow.expected) + " (median of " +
                                 std::to_string(slow.runs) + ")";
    switch (slow.proof) {
        case Proof::kRepeated:
            return text + "; measured again, slow again";
        case Proof::kOnce:
            return text + "; measured once";
        case Proof::kShared:
            return text + "; without NVSwitches, other jobs' traffic may be it";
        case Proof::kUnsure:
            return text + "; too few to judge by (remove nccl.json if those were odd)";
        case Proof::kPublished:
            break;
    }
    return text + "; if this is right for your site, lower health.nccl.min_share";
}

/// One finding, by the size that is proven best, of those the one that lost most.
void judge_busbw(const NcclReading& reading,
                 const NcclAttempt& attempt,
                 std::vector<Finding>& findings) {
    const std::vector<SlowSize> slow = slow_sizes(reading, attempt);
    const auto worst =
        std::max_element(slow.begin(), slow.end(), [](const SlowSize& a, const SlowSize& b) {
            const double a_share = a.busbw / a.expected;
            const double b_share = b.busbw / b.expected;
            return a.proof != b.proof ? a.proof < b.proof : a_share > b_share;
        });
    if (worst == slow.end()) {
        return;
    }
    if (worst->proof == Proof::kUnsure) {
        findings.push_back(unknown("nccl.slow", sentence_of(*worst)));
        return;
    }
    findings.push_back(
        degraded("nccl.slow",
                 number_text(worst->busbw) + "/" + number_text(worst->expected) + "GB/s",
                 sentence_of(*worst)));
    findings.back().repeated = worst->proof == Proof::kRepeated;
}

void judge_sums(const NcclAttempt& attempt, std::vector<Finding>& findings) {
    if (attempt.sums == NcclSums::kWrong) {
        findings.push_back(degraded(
            "nccl.sums", "wrong sums", "all-reduce gave wrong sums: " + attempt.sums_detail));
        findings.back().certain = true;
    }
}

/// "" when the probe ran and found its libraries.
std::string why_not_run(const NcclReading& reading) {
    const bool absent =
        !reading.attempts.empty() && reading.attempts.back().fault == NcclFault::kAbsent;
    return absent ? reading.attempts.back().error : reading.not_run;
}

void judge_measured(const NcclReading& reading,
                    const NcclAttempt& attempt,
                    std::vector<Finding>& findings) {
    judge_sums(attempt, findings);
    judge_busbw(reading, attempt, findings);
    judge_warning(attempt, findings);
    if (attempt.fault != NcclFault::kNone) {
        findings.push_back(unknown("nccl.failed", attempt.error));
    } else if (!attempt.ended) {
        findings.push_back(unknown(
            "nccl.given_up",
            "the probe was given up: it did not come back in time from \"" + attempt.step + "\""));
    }
}

}  // namespace

std::vector<Finding> judge_nccl(const NcclReading& reading) {
    if (!reading.asked) {
        return {};
    }
    const std::string not_run = why_not_run(reading);
    if (!not_run.empty()) {
        return reading.needed ? std::vector{unknown("nccl.not_run", not_run)}
                              : std::vector<Finding>{};
    }
    if (reading.attempts.empty()) {
        return {unknown("nccl.given_up", "the probe ended, or was given up, without a word")};
    }
    if (fabric_fault(reading.attempts.back())) {
        return {fabric_finding(reading)};
    }
    std::vector<Finding> findings;
    judge_measured(reading, reading.attempts.back(), findings);
    return findings;
}

bool wants_second_attempt(const NcclReading& reading) {
    return reading.attempts.size() == 1 && fabric_fault(reading.attempts.back());
}

void learn_from(const NcclReading& reading,
                const std::vector<Finding>& findings,
                NcclBaselines& baselines) {
    const bool spoilt = std::any_of(findings.begin(), findings.end(), [](const Finding& finding) {
        return finding.check == "nccl" || finding.verdict == Verdict::kDegraded;
    });
    if (spoilt || !reading.asked || reading.attempts.empty()) {
        return;
    }
    const NcclAttempt& attempt = reading.attempts.back();
    if (!attempt.ended || attempt.sums != NcclSums::kRight) {
        return;
    }
    for (const NcclBandwidth& bandwidth : attempt.sizes) {
        if (bandwidth.pass == 1) {
            learn_busbw(conditions_of(reading, attempt, bandwidth.bytes),
                        best_busbw(bandwidth),
                        reading.max_loss,
                        baselines);
        }
    }
}

}  // namespace yardmaster
