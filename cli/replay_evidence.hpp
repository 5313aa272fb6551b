// `yardmaster replay-evidence`: the readings of a bundle, judged again without the node.
#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "cli/console.hpp"
#include "healthcheck/evidence.hpp"

namespace yardmaster::cli {

struct ReplayEvidenceOptions {
    std::string file;
    bool json = false;
};

/// A bundle beside what this version makes of its readings.
struct Rejudgement {
    Evidence kept;
    std::vector<Finding> findings;  ///< judged now
    Verdict verdict = Verdict::kUnknown;
    std::vector<Finding> gone;   ///< kept findings that are not found now
    std::vector<Finding> fresh;  ///< found now, not kept
    bool same() const { return verdict == kept.report.verdict && gone.empty() && fresh.empty(); }
};

Rejudgement rejudge(const Evidence& evidence);

/// 0: same verdict and findings; 1: others; 3: the file cannot be read.
ExitCode run_replay_evidence(const ReplayEvidenceOptions& options, const Console& console);

}  // namespace yardmaster::cli
