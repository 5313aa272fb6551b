#include "cli/resume.hpp"

#include <algorithm>
#include <ctime>

#include "cli/recheck_evidence.hpp"
#include "cli/site_policy.hpp"
#include "cli/words.hpp"
#include "prolog/journal.hpp"

namespace yardmaster::cli {
namespace {

Result<SlurmNode> look(SlurmClient& slurm, const std::string& name) {
    const auto nodes = slurm.nodes();
    if (!nodes) {
        return nodes.status();
    }
    const auto found = std::find_if(
        nodes->begin(), nodes->end(), [&](const SlurmNode& node) { return node.name == name; });
    return found != nodes->end()
               ? Result<SlurmNode>(*found)
               : Result<SlurmNode>(ErrorCode::kNotFound, name + ": slurmctld knows no such node");
}

ExitCode refuse(const std::string& node, const std::string& why, const Console& console) {
    console.err << "yardmaster: " << node << " is not resumed: " << why << '\n';
    return kExitFindings;
}

/// Ours, and about this node; none with the reason why it is not to be touched.
std::optional<DrainReason> own_drain(const SlurmNode& node, std::string& why) {
    if (!is_our_reason(node.reason)) {
        why = "somebody else drained it (" + user_name(node.reason_uid) + ", " +
              time_text(node.reason_time) + "): \"" + node.reason + "\"";
        return std::nullopt;
    }
    auto reason = parse_reason(node.reason);
    const auto name = reason ? parse_evidence_id(reason->evidence_id) : std::nullopt;
    if (!name || name->node != node.name) {
        why = "somebody has edited the reason of its drain: \"" + node.reason + "\"";
        return std::nullopt;
    }
    return reason;
}

Status unreadable(const std::string& node, const Status& status) {
    return {status.code(),
            status.message() + ": the evidence of " + node +
                " lies on it. There: yardmaster resume " + node};
}

/// A drain that is free to go, as it was seen with its judgement.
struct Release {
    SlurmNode node;
    Evidence judgement;
};

/// The last look before the one call that Slurm has no condition for.
std::optional<std::string> changed_since(SlurmClient& slurm, const SlurmNode& seen) {
    const auto now = look(slurm, seen.name);
    if (!now) {
        return now.status().message();
    }
    if (!now->drained) {
        return "somebody else has resumed it meanwhile";
    }
    if (now->reason != seen.reason || now->reason_time != seen.reason_time) {
        return "its drain has changed meanwhile: \"" + now->reason + "\"";
    }
    return std::nullopt;
}

void keep_entry(const Release& release, const HealthPolicy& policy, const Console& console) {
    JournalEntry entry;
    entry.time = std::time(nullptr);
    entry.node = release.node.name;
    entry.occasion = kOccasionResume;
    entry.verdict = release.judgement.report.verdict;
    entry.action = "resumed";
    entry.driver = release.judgement.report.readings.nvml.driver;
    entry.evidence_id = release.judgement.id;
    entry.simulated = !release.judgement.report.readings.simulated.empty();
    if (const auto reason = parse_reason(release.node.reason)) {
        entry.job = reason->job;
        entry.cause = reason->cause;
    }
    if (Status status = append_journal(entry, policy.journal); !status) {
        console.err << "yardmaster: journal entry not kept: " << status.message() << '\n';
    }
}

ExitCode carry_out(const Release& release,
                   const HealthPolicy& policy,
                   SlurmClient& slurm,
                   const Console& console) {
    const std::string& name = release.node.name;
    if (const auto change = changed_since(slurm, release.node)) {
        return refuse(name, *change, console);
    }
    if (Status status = slurm.undrain(name); !status) {
        return fail(console, status);
    }
    keep_entry(release, policy, console);
    console.out << name << " resumed: healthy at the re-check of "
                << time_text(release.judgement.time) << " (" << release.judgement.id
                << ")\n  was: " << release.node.reason << '\n';
    return kExitOk;
}

}  // namespace

ExitCode run_resume(const ResumeOptions& options, SlurmClient& slurm, const Console& console) {
    const auto node = look(slurm, options.node);
    if (!node) {
        return fail(console, node.status());
    }
    if (!node->drained) {
        console.out << node->name << " is not drained (" << node->state << ")\n";
        return kExitOk;
    }
    std::string why;
    const auto reason = own_drain(*node, why);
    if (!reason) {
        return refuse(node->name, why, console);
    }
    const auto policy = read_site_policy("", node->name);
    if (!policy) {
        return fail(console, policy.status());
    }
    const auto judgement =
        last_judgement(options.evidence_dir.empty() ? policy->evidence_dir : options.evidence_dir,
                       node->name,
                       drain_time(*node, *reason),
                       std::time(nullptr));
    if (!judgement) {
        return fail(console, unreadable(node->name, judgement.status()));
    }
    if (const auto objection = judgement_objection(*judgement, *reason, node->name)) {
        return refuse(node->name, *objection, console);
    }
    return carry_out({*node, **judgement}, *policy, slurm, console);
}

}  // namespace yardmaster::cli
