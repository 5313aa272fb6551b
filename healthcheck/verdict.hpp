// What a check concludes, and how conclusions combine into the verdict on a node.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/status.hpp"

namespace yardmaster {

/// Only kDegraded may drain a node. kUnknown stands for everything that could not be measured (a
/// tool error, a timeout, a missing library): the job starts, and the finding is kept.
enum class Verdict { kHealthy, kUnknown, kDegraded };

/// "healthy", "unknown" or "degraded", as written in logs and evidence.
std::string_view to_string(Verdict verdict);
/// kMalformed for any other word.
Result<Verdict> parse_verdict(std::string_view word);

/// One conclusion about one object. Healthy objects yield no finding.
struct Finding {
    std::string check;   ///< "port", "gpu" or "nvlink"
    std::string object;  ///< "mlx5_3", "GPU2"; "" when it concerns the whole check
    /// What was seen, as a kind: "port.state", "port.rate", "gpu.ecc". Two findings are independent
    /// when their signs differ: eight ports in INIT are one sign, not eight.
    std::string sign;
    Verdict verdict = Verdict::kUnknown;  ///< kUnknown or kDegraded
    bool certain = false;    ///< kDegraded only: enough for a drain without a second sign
    std::string short_text;  ///< what the drain reason says of the object: "100/400Gb", "down"
    std::string detail;      ///< one sentence for people, with the value seen and the expectation
};

/// "mlx5_3: runs at 100 Gb/sec, expected 400 Gb/sec": object and detail; the detail alone of a
/// finding that concerns the whole check.
std::string sentence_of(const Finding& finding);

/// kDegraded when at least one degraded finding is certain, or two degraded findings have different
/// signs; else kUnknown when there is any finding; else kHealthy.
Verdict combine(const std::vector<Finding>& findings);

/// Whether no later finding can change the verdict: one certain degraded finding is there.
bool is_certain(const std::vector<Finding>& findings);

/// The finding that the drain reason names: the first certain degraded one, else the first degraded
/// one, else the first; nullptr for an empty list. Borrowed from `findings`.
const Finding* primary(const std::vector<Finding>& findings);

}  // namespace yardmaster
