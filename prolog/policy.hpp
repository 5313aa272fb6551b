// The section health of yardmaster.json: docs/configuration.md.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "base/status.hpp"
#include "healthcheck/scope.hpp"

namespace yardmaster {

/// When to stop draining. The numbers are choices of this project, small beside a leaf group of 16
/// to 32 nodes, so that a switch reboot cannot drain one; sites set their own.
struct BreakerPolicy {
    unsigned max_drains = 4;      ///< drains of ours within `window` after which no more follow
    unsigned max_same_cause = 3;  ///< the same for drains with the same cause, e.g. "mlx5_3 down"
    unsigned max_job_drains = 3;  ///< nodes one restarted job may have drained
    std::chrono::seconds window{3600};
};

/// What is told the placer of links in doubt on nodes that stay in service.
struct SoftPolicy {
    bool enable = true;
    std::chrono::seconds clear_after{86400};  ///< how long a mark counts
};

struct HealthPolicy {
    bool enforce = true;  ///< false: report only, never drain
    /// All of the prolog, drain included. srun users see "Prolog hung" after 8 s
    /// (Slurm's PrologMessage default in srun), hence the default.
    std::chrono::milliseconds deadline{7500};
    std::string evidence_dir = "/var/lib/yardmaster/evidence";
    std::string journal = "/var/lib/yardmaster/journal.jsonl";  ///< journal.hpp
    std::string prometheus_file;                                ///< metrics.hpp; "": none
    BreakerPolicy breaker;
    SoftPolicy soft;
    CounterLimits counters;
    bool wiring = true;  ///< hold the PCIe tree against the fabric file
    CheckSources sources;
};

/// Reads yardmaster.json's text; sections of other readers pass, unknown keys are errors. "%n"
/// in paths becomes `node`. `source` stands for the file in messages. Errors: kMalformed.
Result<HealthPolicy> parse_policy(std::string_view json,
                                  std::string_view source,
                                  const std::string& node);

/// Puts into `scope` what of the policy a verdict depends on.
void apply_policy(const HealthPolicy& policy, CheckScope& scope);

/// What holds where there is no yardmaster.json.
HealthPolicy default_policy();

}  // namespace yardmaster
