// Prolog=: does it run yardmaster-prolog, and would slurmd be able to?
#include <algorithm>
#include <array>
#include <cstdio>

#include "cli/doctor/checks.hpp"
#include "cli/words.hpp"
#include "prolog/conf_lines.hpp"
#include "prolog/environment.hpp"

namespace yardmaster::cli::doctor {
namespace {

constexpr std::string_view kProgram = "yardmaster-prolog";
constexpr const char* kInstalled = "/usr/libexec/yardmaster/yardmaster-prolog";

std::string file_name(const std::string& path) {
    return path.substr(path.rfind('/') + 1);
}

/// The word of a script that names yardmaster-prolog, outside comments:
/// "/usr/.../yardmaster-prolog" or "$DIR/yardmaster-prolog"; "" when there is none.
std::string called_by(const std::string& script) {
    constexpr std::string_view kEnds = " \t\"'`;&|()<>=";
    for (const ConfLine& line : conf_lines(script)) {  // shell comments look the same
        const auto at = line.text.find(kProgram);
        if (at == std::string::npos) {
            continue;
        }
        const auto before = line.text.find_last_of(kEnds, at);
        const std::size_t begin = before == std::string::npos ? 0 : before + 1;
        return line.text.substr(begin, at + kProgram.size() - begin);
    }
    return "";
}

std::string octal(mode_t mode) {
    std::array<char, 8> text{};
    std::snprintf(text.data(), text.size(), "%04o", static_cast<unsigned>(mode));
    return text.data();
}

/// What a Prolog= line stands for on this host.
struct PrologFile {
    std::string path;
    Setting setting;
};

/// Patterns are expanded as slurmd does. What matches nothing stands for itself.
std::vector<PrologFile> prolog_files(const Case& examined) {
    std::vector<PrologFile> files;
    for (const Setting& setting : examined.conf.settings.all("Prolog")) {
        // A relative name is looked for beside slurm.conf (slurm.conf(5) of 24.11).
        const std::string pattern =
            setting.value.starts_with('/') ? setting.value : examined.beside_conf(setting.value);
        auto found = matches(examined.host, pattern);
        if (found.empty()) {
            found = {pattern};
        }
        for (const std::string& path : found) {
            files.push_back({path, setting});
        }
    }
    return files;
}

class PrologChecks {
  public:
    PrologChecks(const Case& examined, Findings& findings)
        : examined_(examined), findings_(findings), files_(prolog_files(examined)) {}

    void run() {
        for (const PrologFile& file : files_) {
            check_runs(file);
        }
        check_calls_ours();
    }

  private:
    bool is_ours(const std::string& path) const {
        return file_name(path) == kProgram || file_name(resolve(examined_.host, path)) == kProgram;
    }

    /// Only a node runs the file; a controller need not even have it.
    void check_runs(const PrologFile& file) {
        if (!examined_.roles.node) {
            return;
        }
        const auto facts = look_at(examined_.host, file.path);
        if (!facts || !facts->is_regular) {
            findings_.error("prolog-file",
                            {facts ? "is no file" : facts.status().message(), file.setting.place},
                            "slurmd drains this node at its next job, because the prolog cannot be "
                            "run",
                            is_ours(file.path)
                                ? "install the package yardmaster-node, or take " + file.path +
                                      " out of " + file.setting.place
                                : "put the file there, or take it out of " + file.setting.place);
            return;
        }
        check_permissions(file.path, *facts, "chmod 0755 ");
    }

    void check_permissions(const std::string& path, const FileFacts& facts, const char* chmod) {
        const std::string mode = octal(facts.permissions);
        if ((facts.permissions & 0100) == 0) {
            findings_.error("prolog-file",
                            {mode, path},
                            "root may not execute it: slurmd drains this node at its next job",
                            chmod + path);
        } else if (facts.owner != examined_.host.trusted_owner) {
            findings_.error("prolog-file",
                            {"owner " + user_name(facts.owner), path},
                            "slurmd runs it as root, and its owner can change what root runs",
                            "chown root:root " + path);
        } else if ((facts.permissions & 022) != 0) {
            findings_.error("prolog-file",
                            {mode, path},
                            "slurmd runs it as root, and others than its owner may write to it",
                            std::string("chmod go-w ") + path);
        } else {
            findings_.ok("prolog-file", {mode, path}, "can be run, and only root can change it");
        }
    }

    void check_calls_ours() {
        std::vector<std::string> unreadable;
        for (const PrologFile& file : files_) {
            if (is_ours(file.path)) {
                findings_.ok("prolog", {file.path, file.setting.place}, "runs yardmaster-prolog");
                return;
            }
            const auto script = read_text(examined_.host, file.path);
            if (!script) {
                unreadable.push_back(script.status().message());
                continue;
            }
            if (const std::string called = called_by(*script); !called.empty()) {
                check_called(file, called);
                return;
            }
        }
        nobody_calls(unreadable);
    }

    void check_called(const PrologFile& file, const std::string& called) {
        findings_.ok("prolog",
                     {file.path, file.setting.place},
                     "calls " + called + "; it must pass that exit status on");
        if (!examined_.roles.node || !called.starts_with('/')) {
            return;
        }
        const auto facts = look_at(examined_.host, called);
        if (facts) {
            check_permissions(called, *facts, "chmod 0755 ");
            return;
        }
        findings_.error(
            "prolog-file",
            {facts.status().message(), file.path},
            "the script calls a file that is not there: slurmd drains this node, or "
            "nothing is checked, as the script has it",
            "install the package yardmaster-node, or take the call out of " + file.path);
    }

    void nobody_calls(const std::vector<std::string>& unreadable) {
        const std::string lines = join([this] {
            std::vector<std::string> places;
            for (const PrologFile& file : files_) {
                places.push_back(file.path);
            }
            return places;
        }());
        const std::string place = examined_.place_of("Prolog");
        if (!unreadable.empty() && !examined_.roles.node) {
            findings_.not_checked("prolog",
                                  {lines, place},
                                  "whether it calls yardmaster-prolog stands in a file that only "
                                  "the nodes have",
                                  "on a node: yardmaster doctor node");
            return;
        }
        findings_.error(
            "prolog",
            {lines, place},
            "nothing here calls yardmaster-prolog: no job's links are checked",
            std::string("call ") + kInstalled + " from that script and pass its exit status on");
    }

    const Case& examined_;
    Findings& findings_;
    std::vector<PrologFile> files_;
};

}  // namespace

void check_prolog_files(const Case& examined, Findings& findings) {
    if (examined.conf.settings.find("Prolog") == nullptr) {
        findings.error("prolog",
                       {"(not set)", examined.conf.file},
                       "without Prolog= no job's links are checked",
                       std::string("write Prolog=") + kInstalled +
                           " and PrologFlags=Alloc,DeferBatch in " + examined.conf.file +
                           ", then: scontrol reconfigure");
        return;
    }
    PrologChecks(examined, findings).run();
}

}  // namespace yardmaster::cli::doctor
