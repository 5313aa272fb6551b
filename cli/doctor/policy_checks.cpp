// yardmaster.json, and the folder where the prolog keeps its evidence.
#include <array>
#include <cstdio>

#include "cli/doctor/checks.hpp"
#include "cli/words.hpp"

namespace yardmaster::cli::doctor {
namespace {

/// A folder full of evidence: kMaxEvidenceFiles (1000) bundles of up to 64 KiB; one of a node with
/// 8 GPUs takes about 20 KiB.
constexpr std::uint64_t kEvidenceNeeds = 64ULL << 20;

void check_words(const Case& examined, const std::string& file, Findings& findings) {
    const HealthPolicy& policy = *examined.policy;
    if (!policy.enforce) {
        findings.note("enforce",
                      {"false", file},
                      "report only: degraded nodes are logged and never drained",
                      "when the reports are right, take \"enforce\": false out of " + file);
    }
    if (policy.sources.sysfs_root != CheckSources{}.sysfs_root) {
        findings.warning("simulated",
                         {policy.sources.sysfs_root, file},
                         "adapters are read from a simulation, not from this machine",
                         "take sysfs_root out of " + file);
    }
}

/// The folder itself, or the nearest one above it that exists.
std::string nearest_folder(const Host& host, std::string folder) {
    while (folder.size() > 1 && !look_at(host, folder)) {
        folder.erase(std::max<std::size_t>(folder.rfind('/'), 1));
    }
    return folder;
}

void check_evidence_folder(const Case& examined, const std::string& folder, Findings& findings) {
    const auto facts = look_at(examined.host, folder);
    if (!facts) {
        if (facts.status().code() == ErrorCode::kNotFound) {
            findings.ok("evidence", {"absent", folder}, "the prolog makes it when it needs it");
        } else {
            findings.not_checked("evidence",
                                 {facts.status().message(), folder},
                                 "the evidence folder cannot be looked at",
                                 "run yardmaster doctor as root");
        }
    } else if (!facts->is_folder) {
        findings.error("evidence",
                       {"is no folder", folder},
                       "the prolog cannot keep its evidence",
                       "mv " + folder + " " + folder + ".old");
    } else if ((facts->permissions & 022) != 0 || facts->owner != examined.host.trusted_owner) {
        findings.warning("evidence",
                         {"owner " + user_name(facts->owner), folder},
                         "others than root may change the evidence for a drain",
                         "chown root:root " + folder + "; chmod 0700 " + folder);
    } else {
        findings.ok(
            "evidence", {"owner " + user_name(facts->owner), folder}, "only root can change it");
    }
}

void check_space(const Case& examined, const std::string& folder, Findings& findings) {
    const std::string where = nearest_folder(examined.host, folder);
    const auto free = free_bytes(examined.host, where);
    if (!free) {
        findings.not_checked(
            "evidence-space", {"", where}, "its file system cannot be asked", "df -h " + where);
        return;
    }
    const Seen seen{std::to_string(*free >> 20) + " MiB free", where};
    if (*free < kEvidenceNeeds) {
        findings.warning(
            "evidence-space",
            seen,
            "less than the 64 MiB that a full evidence folder takes: a drain may be "
            "left without evidence",
            "df -h " + where + "; du -xh --max-depth=2 " + where + " | sort -h | tail");
    } else {
        findings.ok("evidence-space", seen, "room for a full evidence folder");
    }
}

void check_weights(const Case& examined, const std::string& file, Findings& findings) {
    if (!examined.weights) {
        findings.error("weights",
                       {examined.weights.status().message(), file},
                       "slurmctld does not take weights from a file that it cannot use: it keeps "
                       "those in force, after a restart the defaults; plan, explain, ranks and "
                       "replay refuse to guess",
                       "correct it (docs/configuration.md), then on the controller: scontrol "
                       "reconfigure");
        return;
    }
    const std::string mark = weights_mark(*examined.weights);
    if (mark.empty()) {
        findings.ok("weights", {"the defaults", file}, "jobs are placed by the default weights");
        return;
    }
    findings.note("weights",
                  {weights_text(*examined.weights), file},
                  "jobs are placed by weights that are not the defaults; slurmctld has them since "
                  "its last reconfigure, and receipts then say weights=" +
                      mark);
}

}  // namespace

void check_policy(const Case& examined, Findings& findings) {
    const std::string file = examined.our_file("yardmaster.json");
    check_weights(examined, file, findings);
    if (!examined.policy) {
        findings.error("policy",
                       {examined.policy.status().message(), file},
                       "by a policy file that it cannot read the prolog checks nothing; jobs start "
                       "unchecked, and only syslog says so",
                       "correct it (docs/configuration.md); the prolog reads it at every job");
        return;
    }
    const bool there = look_at(examined.host, file).is_ok();
    findings.ok("policy",
                {there ? "readable" : "absent", file},
                there ? "can be read and is sound" : "not there, so the defaults hold");
    check_words(examined, file, findings);
    if (!examined.node.empty()) {  // the folder may depend on its name
        check_evidence_folder(examined, examined.policy->evidence_dir, findings);
        check_space(examined, examined.policy->evidence_dir, findings);
    }
}

}  // namespace yardmaster::cli::doctor
