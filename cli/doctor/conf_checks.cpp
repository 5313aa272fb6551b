// slurm.conf itself, and whether the running slurmctld follows it.
#include <array>
#include <string>

#include "cli/doctor/checks.hpp"
#include "cli/words.hpp"

namespace yardmaster::cli::doctor {
namespace {

// Compared between file and daemon: settings that Yardmaster hangs on and that Slurm hands out as
// they were written.
constexpr std::array kCompared{
    "PluginDir", "SelectType", "JobSubmitPlugins", "SchedulerParameters"};

void check_problems(const Case& examined, Findings& findings) {
    for (const ConfProblem& problem : examined.conf.problems) {
        findings.error("slurm-conf",
                       {problem.text, problem.place},
                       "Slurm's daemons and commands end over a line that they cannot read",
                       "correct " + problem.place);
    }
    if (examined.conf.problems.empty()) {
        findings.ok("slurm-conf",
                    {examined.conf.file, examined.conf.file},
                    "settings are judged by this file, which the next start reads");
    }
}

std::vector<std::string> prolog_values(const Settings& settings) {
    std::vector<std::string> values;
    for (const Setting& setting : settings.all("Prolog")) {
        values.push_back(setting.value);
    }
    return values;
}

void compare(const Case& examined,
             const std::string& key,
             const std::string& in_file,
             const std::string& in_force,
             Findings& findings) {
    if (in_file == in_force) {
        return;
    }
    const bool restart = key == "PluginDir" || key == "SelectType" || key == "JobSubmitPlugins";
    findings.warning(
        "conf-in-force",
        {in_force.empty() ? "(not set)" : in_force, "slurmctld: " + key},
        "the file says \"" + in_file + "\" (" + examined.place_of(key) +
            "), so slurmctld has read another file, or this one before it was changed",
        restart ? "on the controller: systemctl restart slurmctld" : "scontrol reconfigure");
}

}  // namespace

void check_conf(const Case& examined, Findings& findings) {
    check_problems(examined, findings);
    if (!examined.controller) {
        return;  // check_daemons says so
    }
    const Settings& file = examined.conf.settings;
    const Settings& force = examined.controller->settings;
    std::vector<std::string> keys;
    for (const char* key : kCompared) {
        if (file.find(key) != nullptr) {  // where it is not, the daemon shows its default
            compare(examined, key, file.value_or(key, ""), force.value_or(key, ""), findings);
        }
    }
    compare(examined,
            "Prolog",
            join(prolog_values(file), ","),
            join(prolog_values(force), ","),
            findings);
    if (findings.list().size() == 1 && findings.list().front().severity == Severity::kOk) {
        findings.ok("conf-in-force",
                    {examined.conf.file, "slurmctld"},
                    "the running slurmctld has what the file says");
    }
}

}  // namespace yardmaster::cli::doctor
