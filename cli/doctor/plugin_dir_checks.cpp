// PluginDir: ours first, Slurm's after it, and every folder there.
#include <algorithm>

#include "cli/doctor/checks.hpp"
#include "cli/doctor/plugin_dir.hpp"
#include "cli/words.hpp"

namespace yardmaster::cli::doctor {
namespace {

constexpr const char* kRestart = ", then: systemctl restart slurmctld";

void check_folders_exist(const Case& examined,
                         const std::vector<std::string>& folders,
                         Findings& findings) {
    bool all = true;
    for (const std::string& folder : folders) {
        const auto facts = look_at(examined.host, folder);
        if (facts && facts->is_folder) {
            continue;
        }
        all = false;
        // read_config.c, _is_valid_path
        findings.error("plugin-folder",
                       {facts ? "is no folder" : facts.status().message(), folder},
                       "every folder of PluginDir must exist on every host that reads this "
                       "slurm.conf: no Slurm daemon or command starts here without it (" +
                           examined.place_of("PluginDir") + ")",
                       "mkdir -p " + folder + "   (empty is fine)");
    }
    if (all) {
        findings.ok("plugin-folder",
                    {join(folders, ":"), examined.place_of("PluginDir")},
                    examined.roles.controller
                        ? "every folder of PluginDir exists on this host; on the others "
                          "`yardmaster doctor node` looks, or ls -d"
                        : "every folder of PluginDir exists on this host");
    }
}

/// The folders, in order, that hold a select_cons_tres.so.
struct SelectFiles {
    std::vector<std::string> ours;
    std::vector<std::string> stock;
    bool ours_first = false;
    bool stock_after_ours = false;
};

SelectFiles find_select_files(const Case& examined, const std::vector<std::string>& folders) {
    SelectFiles found;
    for (const std::string& folder : folders) {
        const std::string file = folder + "/" + kSelectFile;
        const auto facts = look_at(examined.host, file);
        if (!facts || !facts->is_regular) {
            continue;
        }
        const auto plugin = read_plugin(examined.host, file);
        const bool ours = plugin && plugin->is_ours();
        found.ours_first = found.ours_first || (ours && found.stock.empty());
        found.stock_after_ours = found.stock_after_ours || (!ours && !found.ours.empty());
        (ours ? found.ours : found.stock).push_back(folder);
    }
    return found;
}

void check_order(const Case& examined,
                 const std::vector<std::string>& folders,
                 Findings& findings) {
    const SelectFiles found = find_select_files(examined, folders);
    const Seen seen{join(folders, ":"), examined.place_of("PluginDir")};
    const std::string line = "write PluginDir=<Yardmaster's folder>:<Slurm's folder> in " +
                             examined.place_of("PluginDir") + kRestart;
    if (found.ours.empty()) {
        findings.error("plugin-order",
                       seen,
                       std::string("no folder of PluginDir holds Yardmaster's ") + kSelectFile +
                           ": jobs are placed as stock Slurm does",
                       "install the package yardmaster-controller for this Slurm, or " + line);
    } else if (!found.ours_first) {
        findings.error("plugin-order",
                       seen,
                       "Slurm's own folder stands first, so Slurm never finds Yardmaster's " +
                           found.ours.front() + "/" + kSelectFile,
                       line);
    } else if (!found.stock_after_ours) {
        findings.error("plugin-order",
                       seen,
                       std::string("no stock ") + kSelectFile +
                           " comes after Yardmaster's, which needs it: slurmctld will not start",
                       line);
    } else {
        findings.ok("plugin-order",
                    seen,
                    "Yardmaster's select plugin is found first, and Slurm's own after it");
    }
}

void check_copies(const Case& examined,
                  const std::vector<std::string>& folders,
                  Findings& findings) {
    for (const std::string& folder : folders) {
        if (!is_slurms_own(examined.host, folder)) {
            continue;
        }
        const auto select = read_plugin(examined.host, folder + "/" + kSelectFile);
        if (select && select->is_ours()) {
            findings.error("plugin-copy",
                           {kSelectFile, folder},
                           "Yardmaster's plugin has overwritten Slurm's own, which it needs, and "
                           "which is the way back to stock",
                           "reinstall Slurm's plugins (apt-get install --reinstall "
                           "slurm-wlm-basic-plugins, or dnf reinstall slurm)");
        }
        for (const char* name : {kJobSubmitFile, kSpankFile}) {
            if (look_at(examined.host, folder + "/" + name)) {
                findings.warning("plugin-copy",
                                 {name, folder},
                                 "a copy of Yardmaster's plugin in Slurm's own folder stays when "
                                 "the package goes or is upgraded, and is then of a wrong version",
                                 "rm " + folder + "/" + name);
            }
        }
    }
}

}  // namespace

std::vector<std::string> plugin_folders(const Case& examined) {
    return split(examined.value_of("PluginDir"), ':');
}

bool is_slurms_own(const Host& host, const std::string& folder) {
    return look_at(host, folder + "/sched_backfill.so").is_ok();
}

Result<PluginFile> read_plugin(const Host& host, const std::string& file) {
    const auto content = read_text(host, file);
    return content ? parse_plugin(*content, file) : Result<PluginFile>(content.status());
}

void check_plugin_dir(const Case& examined, Findings& findings) {
    const auto folders = plugin_folders(examined);
    if (folders.empty()) {
        findings.error("plugin-order",
                       {"(not set)", examined.conf.file},
                       "without PluginDir Slurm finds only its own plugins: Yardmaster is not in "
                       "force",
                       "write PluginDir=<Yardmaster's folder>:<Slurm's folder> in " +
                           examined.conf.file + kRestart);
        return;
    }
    check_folders_exist(examined, folders, findings);
    if (examined.roles.controller) {
        check_order(examined, folders, findings);
    }
    check_copies(examined, folders, findings);
}

}  // namespace yardmaster::cli::doctor
