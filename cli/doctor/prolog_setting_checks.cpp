// What Slurm does around the prolog: when it runs it, how long it waits, what it does after a
// failure.
#include <algorithm>
#include <charconv>

#include "cli/doctor/checks.hpp"
#include "cli/words.hpp"

namespace yardmaster::cli::doctor {
namespace {

/// Flags that set Alloc too (read_config.c, prolog_str2flags and after; 22.05 to 24.11).
bool runs_at_allocation(const std::string& flags) {
    return has_word(flags, "Alloc") || has_word(flags, "Contain") || has_word(flags, "X11") ||
           has_word(flags, "NoHold") || has_word(flags, "RunInJob") ||
           has_word(flags, "ForceRequeueOnFail");
}

std::string with_flag(const std::string& flags, const std::string& flag) {
    return "write PrologFlags=" + (flags.empty() ? "" : flags + ",") + flag + " in ";
}

void check_flags(const Case& examined, Findings& findings) {
    const std::string flags = examined.value_of("PrologFlags");
    const std::string place = examined.place_of("PrologFlags");
    const Seen seen{flags.empty() ? "(not set)" : flags, place};
    const std::string then = place + ", then: scontrol reconfigure";
    const bool alloc = runs_at_allocation(flags);
    if (!alloc) {
        findings.error("prolog-flags",
                       seen,
                       "without Alloc a node's prolog runs only when a step reaches it: a job "
                       "starts on nodes that nobody has checked",
                       with_flag(flags, "Alloc") + then);
    }
    if (!has_word(flags, "DeferBatch")) {
        findings.error("prolog-flags",
                       seen,
                       "without DeferBatch the batch script starts before the prologs of the job's "
                       "other nodes have answered",
                       with_flag(flags, "DeferBatch") + then);
    } else if (alloc) {
        findings.ok("prolog-flags", seen, "the batch script waits for the prologs of all nodes");
    }
    if (has_word(flags, "RunInJob")) {
        findings.note("prolog-flags",
                      seen,
                      "RunInJob puts the prolog into the job's own cgroup; Yardmaster is not tried "
                      "with it",
                      "watch the first drains, or take RunInJob out of " + place);
    }
}

void check_requeue(const Case& examined, Findings& findings) {
    const std::string value = examined.value_of("SchedulerParameters");
    const Seen seen{value.empty() ? "(not set)" : value, examined.place_of("SchedulerParameters")};
    if (has_word(value, "nohold_on_prolog_fail")) {
        findings.ok("prolog-requeue", seen, "a job whose node failed goes back to the queue");
        return;
    }
    findings.warning("prolog-requeue",
                     seen,
                     "without nohold_on_prolog_fail a job whose node failed is held until somebody "
                     "releases it",
                     "write SchedulerParameters=" + (value.empty() ? "" : value + ",") +
                         "nohold_on_prolog_fail in " + seen.place +
                         ", then: scontrol reconfigure; jobs held already: scontrol release JOBID");
}

/// The seconds of `key`; `otherwise` where it is not set or is no number.
double seconds_of(const Case& examined, std::string_view key, double otherwise) {
    const std::string text = examined.value_of(key);
    double value = otherwise;
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
}

void check_time_limits(const Case& examined, Findings& findings) {
    if (!examined.policy) {
        return;  // check_policy says so
    }
    const double deadline = static_cast<double>(examined.policy->deadline.count()) / 1000;
    const std::string ours =
        "deadline_s (" + number(deadline) + ") in " + examined.our_file("yardmaster.json");
    // Not set, slurmd waits for ever; 65534 and more mean the same (NO_VAL16).
    const double kill = seconds_of(examined, "PrologEpilogTimeout", 65535);
    if (kill <= deadline) {
        findings.error("prolog-timeout",
                       {number(kill) + " s", examined.place_of("PrologEpilogTimeout")},
                       "slurmd kills the prolog before its own deadline, " + number(deadline) +
                           " s, and drains the node for it (\"Prolog error\")",
                       "write PrologEpilogTimeout=" + number(deadline + 30) + " in " +
                           examined.place_of("PrologEpilogTimeout") +
                           ", then: scontrol reconfigure; or lower " + ours);
    }
    // slurmd 22.05 tells srun "Prolog hung" 2 s before MessageTimeout (req.c, _prolog_timer), and
    // at the earliest after 2 s; 10 s is the default (DEFAULT_MSG_TIMEOUT).
    const double message = seconds_of(examined, "MessageTimeout", 10);
    const double hung = std::max(2.0, message - 2);
    if (hung < deadline) {
        findings.warning("prolog-timeout",
                         {number(message) + " s", examined.place_of("MessageTimeout")},
                         "srun tells its user \"Prolog hung\" after " + number(hung) +
                             " s, but the prolog may take " + number(deadline) + " s",
                         "lower " + ours + " to " + number(hung - 0.5) +
                             ", or write MessageTimeout=" + number(deadline + 2.5) + " in " +
                             examined.place_of("MessageTimeout") + ", then: scontrol reconfigure");
    }
    if (kill > deadline && hung >= deadline) {
        findings.ok("prolog-timeout",
                    {number(deadline) + " s", examined.our_file("yardmaster.json")},
                    "the prolog ends before Slurm loses patience");
    }
}

void check_prep_plugins(const Case& examined, Findings& findings) {
    const Setting* setting = examined.conf.settings.find("PrepPlugins");
    if (setting == nullptr || has_word(setting->value, "prep/script") ||
        has_word(setting->value, "script")) {
        return;
    }
    findings.error(
        "prolog-prep",
        {setting->value, setting->place},
        "without prep/script Slurm never runs Prolog=",
        "write PrepPlugins=" + setting->value + ",prep/script in " + setting->place +
            ", then: systemctl restart slurmctld; systemctl restart slurmd on the nodes");
}

}  // namespace

void check_prolog_settings(const Case& examined, Findings& findings) {
    if (examined.conf.settings.find("Prolog") == nullptr) {
        return;  // check_prolog_files says so
    }
    check_flags(examined, findings);
    check_requeue(examined, findings);
    check_time_limits(examined, findings);
    check_prep_plugins(examined, findings);
}

}  // namespace yardmaster::cli::doctor
