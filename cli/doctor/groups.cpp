// Runs the groups of checks, each in a child.
#include <array>
#include <chrono>
#include <cstdlib>

#include "cli/doctor/checks.hpp"
#include "cli/doctor/doctor.hpp"
#include "cli/words.hpp"
#include "healthcheck/budget/collect.hpp"

namespace yardmaster::cli::doctor {
namespace {

struct Group {
    const char* name;
    void (*check)(const Case&, Findings&);
};

constexpr std::array kGroups{Group{"slurm-conf", check_conf},
                             Group{"daemons", check_daemons},
                             Group{"plugin-dir", check_plugin_dir},
                             Group{"plugin-version", check_plugin_versions},
                             Group{"plugstack", check_plugstack},
                             Group{"settings", check_settings},
                             Group{"prolog-settings", check_prolog_settings},
                             Group{"prolog", check_prolog_files},
                             Group{"fabric", check_fabric},
                             Group{"policy", check_policy},
                             Group{"hardware", check_hardware}};

/// Beyond a group's own limits (10 s for munge, the policy's deadline for the dry run).
constexpr std::chrono::seconds kSlack{10};

std::chrono::milliseconds limit_of(const Case& examined) {
    const auto deadline = examined.policy ? examined.policy->deadline : HealthPolicy{}.deadline;
    return std::max<std::chrono::milliseconds>(deadline, std::chrono::seconds(10)) + kSlack;
}

/// In the child: one line a finding.
void send_findings(const Case& examined, const Group& group, int fd) {
    setenv("SLURM_CONF", examined.conf.file.c_str(), 1);  // what all of our readers go by
    Findings findings;
    group.check(examined, findings);
    for (const DoctorFinding& finding : findings.list()) {
        write_line(fd, to_json(finding).dump_exact());
    }
    write_line(fd, "");  // whole
}

Status take_line(const std::string& line, Findings& findings) {
    const auto document = JsonDocument::parse(line);
    DoctorFinding finding;
    const Status status = document ? from_json(document->root(), finding) : document.status();
    if (status) {
        findings.add(std::move(finding));
    }
    return status;
}

void run_group(const Case& examined, const Group& group, Findings& findings) {
    const auto limit = limit_of(examined);
    const auto lines = run_task({group.name, [&](int fd) { send_findings(examined, group, fd); }},
                                Clock::now() + limit);
    const bool whole = lines && !lines->empty() && lines->back().empty();
    Status status = lines.status();
    for (std::size_t i = 0; lines && i < lines->size() && !(*lines)[i].empty(); ++i) {
        status = take_line((*lines)[i], findings);
    }
    if (!whole || !status) {
        findings.not_checked(
            group.name,
            {status ? "its process died" : status.message(), examined.host.name},
            "this group of checks gave no whole answer within " +
                number(std::chrono::duration<double>(limit).count()) +
                " s; a file system or a driver hangs",
            "dmesg | tail -50; mount | grep -w nfs; ps -eo state,pid,cmd | grep ^D");
    }
}

}  // namespace

std::vector<DoctorFinding> run_checks_of(const Case& examined) {
    Findings findings;
    for (const Group& group : kGroups) {
        run_group(examined, group, findings);
    }
    return findings.list();
}

}  // namespace yardmaster::cli::doctor
