// spank_yardmaster in plugstack.conf: whether slurmd finds it, and what happens when it does not.
#include "cli/doctor/checks.hpp"
#include "cli/doctor/plugin_dir.hpp"
#include "cli/doctor/plugstack.hpp"

namespace yardmaster::cli::doctor {
namespace {

constexpr const char* kRestart = ", then: systemctl restart slurmd";

/// Where the package put it, as far as PluginDir tells.
std::string installed_plugin(const Case& examined) {
    const std::string found = plugin_of(examined, {"optional", kSpankFile, ""});
    return found == kSpankFile ? std::string("<libdir>/yardmaster/") + kSpankFile : found;
}

void say_absent(const Case& examined, const std::string& file, Findings& findings) {
    findings.note("plugstack",
                  {std::string("no ") + kSpankFile, file},
                  "jobs here get no rank order from Yardmaster (YARDMASTER_RANK and the like)",
                  "where launchers shall follow the fabric, write optional " +
                      installed_plugin(examined) + " in " + file + kRestart);
}

void check_file(const Case& examined, const PlugstackLine& line, Findings& findings) {
    const bool required = line.kind == "required";
    const std::string file = plugin_of(examined, line);
    const auto plugin = read_plugin(examined.host, file);
    if (plugin) {
        findings.ok("plugstack", {line.kind + " " + file, line.place}, "tells tasks their ranks");
        return;
    }
    const Seen seen{plugin.status().message(), line.place};
    const std::string remedy =
        "install the package yardmaster-node for this Slurm, or take the "
        "line out of " +
        line.place + kRestart;
    if (required) {
        findings.error("plugstack",
                       seen,
                       "Slurm cannot load this required SPANK plugin: no job starts on this node",
                       remedy);
    } else {
        findings.warning("plugstack",
                         seen,
                         "Slurm cannot load this SPANK plugin, and goes on without a word: jobs "
                         "here get no rank order",
                         remedy);
    }
}

void check_line(const Case& examined, const PlugstackLine& line, Findings& findings) {
    const std::string remedy =
        "write optional " + plugin_of(examined, line) + " in " + line.place + kRestart;
    if (line.kind != "required" && line.kind != "optional") {
        findings.warning("plugstack",
                         {line.kind, line.place},
                         "Slurm ignores a line that begins with another word than optional, "
                         "required or include: jobs here get no rank order",
                         remedy);
        return;
    }
    check_file(examined, line, findings);
    if (line.kind == "required") {
        findings.warning("plugstack-required",
                         {line.kind, line.place},
                         "when the plugin is missing or of another series, as in the middle of an "
                         "upgrade, no job starts on this node, and no srun on a login host that "
                         "reads this file; a missing rank order is the lesser evil",
                         remedy);
    }
}

}  // namespace

void check_plugstack(const Case& examined, Findings& findings) {
    if (!examined.roles.node) {
        return;
    }
    const std::string file = plugstack_file(examined);
    const auto lines = read_plugstack(examined.host, file);
    if (!lines) {
        findings.not_checked(
            "plugstack",
            {lines.status().message(), file},
            "the list of SPANK plugins cannot be read; where slurmd cannot read it "
            "either, no job starts here",
            "ls -l " + file + "; run yardmaster doctor as root");
        return;
    }
    const auto ours = our_plugstack_lines(examined);
    for (const PlugstackLine& line : ours) {
        check_line(examined, line, findings);
    }
    if (ours.empty()) {
        say_absent(examined, file, findings);
    }
}

}  // namespace yardmaster::cli::doctor
