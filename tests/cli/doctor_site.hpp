// A site for doctor to look at: files below a scratch folder, and answers that a test can change.
// As made, everything is well: controller ctl1, nodes yard01 to yard16 with 8 GPUs each.
#pragma once

#include <elf.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "cli/doctor/checks.hpp"
#include "cli/doctor/plugin_file.hpp"
#include "tests/cli/command.hpp"
#include "tests/healthcheck/scratch_folder.hpp"

namespace yardmaster::cli::doctor {

inline constexpr SlurmVersion kHere = 0x160508;  // 22.05.8

/// A shared object with the three symbols that a Slurm plugin must have, and nothing else.
inline std::string fake_plugin(const std::string& name,
                               const std::string& type,
                               SlurmVersion version = kHere) {
    constexpr std::uint64_t kAddress = 0x1000;
    std::string bytes(sizeof(Elf64_Ehdr) + sizeof(Elf64_Phdr), '\0');
    std::string strings(1, '\0');
    std::vector<Elf64_Sym> symbols(1);
    const auto add = [&](const std::string& symbol, const std::string& value) {
        Elf64_Sym entry{};
        entry.st_name = static_cast<Elf64_Word>(strings.size());
        entry.st_shndx = SHN_ABS;
        entry.st_value = kAddress + bytes.size();
        entry.st_size = value.size();
        symbols.push_back(entry);
        strings += symbol + '\0';
        bytes += value;
    };
    add("plugin_name", name + '\0');
    add("plugin_type", type + '\0');
    add("plugin_version", std::string(reinterpret_cast<const char*>(&version), sizeof(version)));
    const std::size_t loaded = bytes.size();
    const std::size_t symbols_at = bytes.size();
    bytes.append(reinterpret_cast<const char*>(symbols.data()), symbols.size() * sizeof(Elf64_Sym));
    const std::size_t strings_at = bytes.size();
    bytes += strings;
    Elf64_Shdr sections[3]{};
    sections[1].sh_type = SHT_DYNSYM;
    sections[1].sh_offset = symbols_at;
    sections[1].sh_size = symbols.size() * sizeof(Elf64_Sym);
    sections[1].sh_link = 2;
    sections[2].sh_type = SHT_STRTAB;
    sections[2].sh_offset = strings_at;
    sections[2].sh_size = strings.size();
    Elf64_Ehdr header{};
    std::memcpy(header.e_ident, ELFMAG, SELFMAG);
    header.e_ident[EI_CLASS] = ELFCLASS64;
    header.e_phoff = sizeof(Elf64_Ehdr);
    header.e_phnum = 1;
    header.e_shoff = bytes.size();
    header.e_shnum = 3;
    Elf64_Phdr segment{};
    segment.p_type = PT_LOAD;
    segment.p_vaddr = kAddress;
    segment.p_filesz = loaded;
    std::memcpy(bytes.data(), &header, sizeof(header));
    std::memcpy(bytes.data() + sizeof(header), &segment, sizeof(segment));
    bytes.append(reinterpret_cast<const char*>(sections), sizeof(sections));
    return bytes;
}

class Site {
  public:
    Host host;
    ControllerAnswer answer;
    Status answer_error;  ///< an error: slurmctld does not answer
    Report report;
    std::vector<std::string> processes{"slurmctld", "slurmd"};

    Site() {
        write_everything();
        host.root = folder_.path();
        host.name = "ctl1";
        host.trusted_owner = getuid();
        host.is_running = [this](const std::string& name) {
            return std::find(processes.begin(), processes.end(), name) != processes.end();
        };
        host.version_of = [](const std::string&) { return std::string("slurm-wlm 22.05.8"); };
        host.ask_controller = [this](const std::string&) {
            return answer_error ? Result<ControllerAnswer>(answer)
                                : Result<ControllerAnswer>(answer_error);
        };
        host.munge_round_trip = [](const std::string&) { return Status::ok(); };
        host.check_node = [this](const CheckOptions&) { return report; };
        be_healthy();
    }

    /// Sets a line of slurm.conf; "" takes it out.
    void set(const std::string& key, const std::string& value) {
        std::erase_if(lines_, [&](const auto& line) { return line.first == key; });
        if (!value.empty()) {
            lines_.emplace_back(key, value);
        }
    }
    /// Adds a line that stands beside another with its key.
    void add(const std::string& key, const std::string& value) { lines_.emplace_back(key, value); }

    std::string real(const std::string& path) const { return folder_.path() + path; }
    void write(const std::string& path, const std::string& text, mode_t mode = 0644) const {
        testing::write_file(real(path), text);
        chmod(real(path).c_str(), mode);
    }
    void make_folder(const std::string& path, mode_t mode = 0755) const {
        std::filesystem::create_directories(real(path));
        chmod(real(path).c_str(), mode);
    }
    void remove(const std::string& path) const { std::filesystem::remove_all(real(path)); }

    void write_conf() const {
        std::string text;
        for (const auto& [key, value] : lines_) {
            text += key + "=" + value + "\n";
        }
        write("/etc/slurm/slurm.conf", text);
    }

    Case examined(Roles roles, const std::string& node = "yard01") const {
        write_conf();
        const auto conf = read_slurm_conf("/etc/slurm/slurm.conf", [this](const std::string& file) {
            return read_text(host, file);
        });
        return examine(host, roles, roles.node ? node : "", *conf);
    }

    /// What `check` finds here.
    std::vector<Finding> controller(void (*check)(const Case&, Findings&)) const {
        return found(check, examined({true, false}));
    }
    std::vector<Finding> node(void (*check)(const Case&, Findings&),
                              const std::string& name = "yard01") const {
        return found(check, examined({false, true}, name));
    }

  private:
    static std::vector<Finding> found(void (*check)(const Case&, Findings&), const Case& examined) {
        Findings findings;
        check(examined, findings);
        return findings.list();
    }

    void write_everything() const {
        write("/usr/lib/yardmaster/select_cons_tres.so",
              fake_plugin("Yardmaster: placement", "select/cons_tres"));
        write("/usr/lib/yardmaster/job_submit_yardmaster.so",
              fake_plugin("Yardmaster: hints", "job_submit/yardmaster"));
        write("/usr/lib/slurm/select_cons_tres.so", fake_plugin("Trackable", "select/cons_tres"));
        write("/usr/lib/slurm/sched_backfill.so", fake_plugin("Backfill", "sched/backfill"));
        write("/usr/libexec/yardmaster/yardmaster-prolog", "\177ELF", 0755);
        std::filesystem::create_directories(real("/etc/slurm"));
        std::filesystem::copy_file(data_file("two_pods.json"), real("/etc/slurm/fabric.json"));
    }

    void be_healthy() {
        answer.version = "22.05.8";
        answer.time = answer.asked = answer.answered = 1700000000;
        for (int i = 1; i <= 16; ++i) {
            SlurmNode node;
            node.name = (i < 10 ? "yard0" : "yard") + std::to_string(i);
            node.gpus = 8;
            answer.nodes.push_back(node);
        }
        for (const auto& [key, value] : lines_) {
            answer.settings.add({lower_case(key), value, "slurmctld"});
        }
        report.scope.node = "yard01";
        report.scope.node_rails = {"mlx5_0", "mlx5_1"};
        report.readings.inventory = {true, {"mlx5_0", "mlx5_1"}, ""};
        report.readings.nvml.loaded = true;
        report.readings.nvml.driver = "550.54.15";
        report.readings.nvml.device_count = {kNvmlSuccess, 8};
        report.verdict = Verdict::kHealthy;
    }

    testing::ScratchFolder folder_;
    std::vector<std::pair<std::string, std::string>> lines_{
        {"ClusterName", "yard"},
        {"SlurmctldHost", "ctl1"},
        {"PluginDir", "/usr/lib/yardmaster:/usr/lib/slurm"},
        {"SelectType", "select/cons_tres"},
        {"JobSubmitPlugins", "yardmaster"},
        {"GresTypes", "gpu"},
        {"Prolog", "/usr/libexec/yardmaster/yardmaster-prolog"},
        {"PrologFlags", "Alloc,DeferBatch"},
        {"SchedulerParameters", "nohold_on_prolog_fail"},
        {"NodeName", "yard[01-16] Gres=gpu:h100:8"},
        {"PartitionName", "main Nodes=ALL"}};
};

/// The worst severity among findings of `check`; none when there is no such finding.
inline std::optional<Severity> worst(const std::vector<Finding>& findings,
                                     const std::string& check) {
    std::optional<Severity> found;
    for (const Finding& finding : findings) {
        if (finding.check == check && (!found || finding.severity > *found)) {
            found = finding.severity;
        }
    }
    return found;
}

/// "text | value | place | remedy" of the worst finding of `check`; "" when there is none.
inline std::string words(const std::vector<Finding>& findings, const std::string& check) {
    for (const Finding& finding : findings) {
        if (finding.check == check && finding.severity == *worst(findings, check)) {
            return finding.text + " | " + finding.seen.value + " | " + finding.seen.place + " | " +
                   finding.remedy;
        }
    }
    return "";
}

/// Every warning and error: none on a healthy site.
inline std::vector<std::string> wrong(const std::vector<Finding>& findings) {
    std::vector<std::string> list;
    for (const Finding& finding : findings) {
        if (finding.severity >= Severity::kWarning) {
            list.push_back(finding.check + ": " + finding.text);
        }
    }
    return list;
}

}  // namespace yardmaster::cli::doctor
