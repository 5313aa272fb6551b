#include "cli/check.hpp"

#include <algorithm>
#include <ctime>

#include "base/json_value.hpp"
#include "cli/check_scope.hpp"
#include "cli/check_text.hpp"
#include "healthcheck/checks.hpp"

namespace yardmaster::cli {

ExitCode exit_code_of(Verdict verdict) {
    switch (verdict) {
        case Verdict::kHealthy:
            return kExitOk;
        case Verdict::kDegraded:
            return kExitFindings;
        case Verdict::kUnknown:
            return kExitUnknown;
    }
    return kExitUnknown;
}

Evidence evidence_by_hand(const Report& report, const std::string& occasion) {
    Evidence evidence;
    evidence.time = std::time(nullptr);
    evidence.id = make_evidence_id(report.scope.node, report.scope.job, evidence.time);
    evidence.version = YM_VERSION;
    evidence.report = report;
    evidence.occasion = occasion;
    evidence.action.why = "checked by hand";
    return evidence;
}

ExitCode run_check(const CheckOptions& options, const Console& console) {
    const auto plan = plan_check(options);
    if (!plan) {
        return fail(console, plan.status());
    }
    const Report report =
        run_checks(plan->scope, plan->policy.sources, Clock::now() + plan->policy.deadline);
    if (options.json) {
        console.out << to_json(evidence_by_hand(report, kOccasionCheck)).dump_exact(2) << '\n';
    } else {
        print_report(report, console.out);
    }
    return exit_code_of(report.verdict);
}

}  // namespace yardmaster::cli
