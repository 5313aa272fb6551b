#include "cli/recheck.hpp"

#include "base/json_value.hpp"
#include "cli/check.hpp"
#include "cli/check_scope.hpp"
#include "cli/check_text.hpp"
#include "healthcheck/checks.hpp"
#include "healthcheck/evidence.hpp"
#include "healthcheck/kept_state.hpp"
#include "prolog/journal.hpp"

namespace yardmaster::cli {
namespace {

Status elsewhere(const std::string& node) {
    return {ErrorCode::kUnavailable,
            "a node is re-checked on itself, and this host is " + own_node_name() + ". On " + node +
                ": yardmaster recheck " + node + " (if this host is " + node +
                ", put SLURMD_NODENAME=" + node + " before it)"};
}

/// Resuming needs the bundle, so it must be kept; the journal and the counters' baseline are for
/// later, and their loss is only told.
Status keep(const Evidence& evidence, const HealthPolicy& policy, const Console& console) {
    if (Status status = write_evidence(evidence, policy.evidence_dir); !status) {
        return status.with_context("the re-check is not kept (are you root?)");
    }
    const JournalEntry entry = journal_entry(evidence, policy.sources.sysfs_root);
    for (const Status& status :
         {append_journal(entry, policy.journal), keep_state(evidence.report, policy.sources)}) {
        if (!status) {
            console.err << "yardmaster: " << status.message() << '\n';
        }
    }
    return Status::ok();
}

void print_answer(const Evidence& evidence, const HealthPolicy& policy, std::ostream& out) {
    const std::string& node = evidence.report.scope.node;
    out << "Evidence: " << policy.evidence_dir << '/' << evidence.id << ".json\n";
    if (evidence.report.verdict == Verdict::kHealthy) {
        out << node << " may be resumed, if Yardmaster drained it: yardmaster resume " << node
            << '\n';
        return;
    }
    out << node << " must not be resumed yet: " << sentence_of(*primary(evidence.report.findings))
        << '\n';
    if (evidence.report.verdict == Verdict::kUnknown && counters_move(evidence.report)) {
        out << "Counters that grew since an earlier check are told once: a second re-check says "
               "whether they still grow.\n";
    }
}

}  // namespace

ExitCode run_recheck(const RecheckOptions& options, const Console& console) {
    if (options.node != own_node_name()) {
        return fail(console, elsewhere(options.node));
    }
    const auto plan =
        plan_check({"", options.node, options.fabric_file, options.policy_file, false});
    if (!plan) {
        return fail(console, plan.status());
    }
    CheckSources sources = plan->policy.sources;
    sources.proven_for = std::chrono::seconds(0);  // a pass of before the drain stands for nothing
    const Report report = run_checks(plan->scope, sources, Clock::now() + plan->policy.deadline);
    Evidence evidence = evidence_by_hand(report, kOccasionRecheck);
    if (Status status = keep(evidence, plan->policy, console); !status) {
        return fail(console, status);
    }
    if (options.json) {
        console.out << to_json(evidence).dump_exact(2) << '\n';
    } else {
        print_report(report, console.out);
        print_answer(evidence, plan->policy, console.out);
    }
    return exit_code_of(report.verdict);
}

}  // namespace yardmaster::cli
