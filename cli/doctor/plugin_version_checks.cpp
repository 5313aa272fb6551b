// Slurm takes a plugin only from the very version it was built for. Said here before slurmctld says
// it at its next start.
#include "cli/doctor/checks.hpp"
#include "cli/doctor/plugin_dir.hpp"
#include "cli/doctor/plugstack.hpp"

namespace yardmaster::cli::doctor {
namespace {

/// The Slurm that our plugins must fit: what is installed, since that is what starts next.
struct Installed {
    SlurmVersion version = 0;
    std::string source;  ///< "slurmctld -V"
};

Result<Installed> from_daemon(const Case& examined, const std::string& program) {
    const auto line = examined.host.version_of(program);
    if (!line) {
        return line.status();
    }
    const auto version = parse_version(*line);
    return version ? Result<Installed>(Installed{*version, program + " -V"})
                   : Result<Installed>(version.status());
}

/// Slurm's own select plugin is of the same build as the daemons.
Result<Installed> from_stock_plugin(const Case& examined) {
    for (const std::string& folder : plugin_folders(examined)) {
        const std::string file = folder + "/" + kSelectFile;
        const auto plugin = read_plugin(examined.host, file);
        if (plugin && !plugin->is_ours()) {
            return Installed{plugin->version, file};
        }
    }
    return Status(ErrorCode::kNotFound, "no daemon and no plugin of Slurm found");
}

Result<Installed> installed_slurm(const Case& examined) {
    auto found = from_daemon(examined, examined.roles.controller ? "slurmctld" : "slurmd");
    return found ? found : from_stock_plugin(examined);
}

std::string consequence(const PluginFile& plugin) {
    if (plugin.type == "select/cons_tres") {
        return "slurmctld passes it over and places jobs with Slurm's own plugin";
    }
    return plugin.type == "spank"
               ? "jobs get no rank order; where plugstack.conf says required, no job starts"
               : "slurmctld does not start";
}

void judge(const Case& examined,
           const std::string& file,
           const PluginFile& plugin,
           const Installed& installed,
           Findings& findings) {
    const bool spank = plugin.type == "spank";
    const Seen seen{version_text(plugin.version), file};
    const std::string here = version_text(installed.version);
    if (spank ? series_of(plugin.version) == series_of(installed.version)
              : plugin.version == installed.version) {
        findings.ok("plugin-version",
                    seen,
                    "built for the Slurm installed here, " + here + " (" + installed.source + ")");
        return;
    }
    const std::string package = spank ? "yardmaster-node" : "yardmaster-controller";
    findings.error("plugin-version",
                   seen,
                   "built for Slurm " + version_text(plugin.version) +
                       ", but the Slurm installed here is " + here + " (" + installed.source +
                       "): Slurm refuses it (\"Incompatible Slurm plugin\"), and " +
                       consequence(plugin),
                   "install " + package + "-slurm" + here +
                       " (apt-get or dnf), or build Yardmaster " + "for " + here +
                       "; back to stock: take Yardmaster's folder out of PluginDir= and yardmaster "
                       "out of JobSubmitPlugins= (" +
                       examined.place_of("PluginDir") + "), then: systemctl restart slurmctld");
}

/// Ours among the files that Slurm would take on this host: the SPANK plugin from where
/// plugstack.conf says, else of each name the first in PluginDir. A node's slurmd needs the SPANK
/// plugin alone.
std::vector<std::string> files_to_check(const Case& examined) {
    std::vector<std::string> names;
    if (examined.roles.controller) {
        names = {kSelectFile, kJobSubmitFile};
    }
    std::vector<std::string> files;
    for (const PlugstackLine& line : our_plugstack_lines(examined)) {
        if (const auto facts = look_at(examined.host, plugin_of(examined, line));
            facts && facts->is_regular) {
            files.push_back(plugin_of(examined, line));
        }
    }
    if (files.empty()) {
        names.emplace_back(kSpankFile);
    }
    for (const std::string& name : names) {
        for (const std::string& folder : plugin_folders(examined)) {
            const auto facts = look_at(examined.host, folder + "/" + name);
            if (facts && facts->is_regular) {
                files.push_back(folder + "/" + name);
                break;
            }
        }
    }
    return files;
}

void check_file(const Case& examined,
                const std::string& file,
                const Installed& installed,
                Findings& findings) {
    const auto plugin = read_plugin(examined.host, file);
    if (!plugin) {
        findings.error("plugin-version",
                       {plugin.status().message(), file},
                       "Slurm cannot load this file",
                       "install the package again, or remove " + file);
    } else if (plugin->is_ours()) {
        judge(examined, file, *plugin, installed, findings);
    }
}

/// An upgrade that replaced the files of a slurmctld that still runs.
void check_running(const Case& examined, const Installed& installed, Findings& findings) {
    const auto running = examined.controller ? parse_version(examined.controller->version)
                                             : Result<SlurmVersion>(examined.controller.status());
    if (!running || !examined.roles.controller || *running == installed.version) {
        return;
    }
    findings.warning("slurm-version",
                     {version_text(*running), "slurmctld"},
                     "the running slurmctld is older or newer than the installed one, " +
                         version_text(installed.version) + " (" + installed.source +
                         "): the next start changes the version",
                     "mend what is wrong above first, then: systemctl restart slurmctld");
}

}  // namespace

void check_plugin_versions(const Case& examined, Findings& findings) {
    const auto files = files_to_check(examined);
    if (files.empty()) {
        return;  // on a controller, check_plugin_dir says so
    }
    const auto installed = installed_slurm(examined);
    if (!installed) {
        findings.not_checked("plugin-version",
                             {installed.status().message(), examined.host.name},
                             "which Slurm is installed here could not be found out",
                             "slurmctld -V; slurmd -V; yardmaster doctor again with them in PATH");
        return;
    }
    for (const std::string& file : files) {
        check_file(examined, file, *installed, findings);
    }
    check_running(examined, *installed, findings);
}

}  // namespace yardmaster::cli::doctor
