// slurmctld, munge and the clocks: what everything else stands on.
#include <algorithm>
#include <charconv>
#include <cstdlib>

#include "cli/doctor/checks.hpp"
#include "cli/doctor/plugin_file.hpp"
#include "cli/words.hpp"

namespace yardmaster::cli::doctor {
namespace {

/// The word `name=value` of AuthInfo, e.g. "socket=/run/munge.socket,cred_expire=120".
std::string auth_info(const Case& examined, std::string_view name) {
    for (const std::string& word : split(examined.value_of("AuthInfo"), ',')) {
        const auto equals = word.find('=');
        if (lower_case(word.substr(0, equals)) == name && equals != word.npos) {
            return word.substr(equals + 1);
        }
    }
    return "";
}

void check_controller(const Case& examined, Findings& findings) {
    if (!examined.controller) {
        findings.error(
            "slurmctld",
            {examined.controller.status().message(), examined.conf.file},
            "slurmctld could not be asked: nothing is scheduled, and no degraded node "
            "can be drained",
            examined.roles.controller
                ? "systemctl status slurmctld; journalctl -u slurmctld -n 50; scontrol ping"
                : "scontrol ping; on the controller: yardmaster doctor");
        return;
    }
    findings.ok("slurmctld", {examined.controller->version, "slurmctld"}, "answers");
}

void check_node_daemon(const Case& examined, Findings& findings) {
    if (examined.host.is_running("slurmd")) {
        findings.ok("slurmd", {"running", examined.host.name}, "runs on this host");
        return;
    }
    findings.error("slurmd",
                   {"not running", examined.host.name},
                   "no slurmd runs on this host, so no job starts here",
                   "systemctl status slurmd; journalctl -u slurmd -n 50");
}

void check_munge(const Case& examined, Findings& findings) {
    const std::string type = examined.conf.settings.value_or("AuthType", "auth/munge");
    if (type != "auth/munge") {
        findings.ok("munge", {type, examined.place_of("AuthType")}, "munge is not in use");
        return;
    }
    const std::string socket = auth_info(examined, "socket");
    const std::string place = socket.empty() ? "munge's default socket" : socket;
    const Status status = examined.host.munge_round_trip(socket);
    if (status) {
        findings.ok("munge", {"works", place}, "makes and reads a credential on this host");
        return;
    }
    if (status.code() == ErrorCode::kNotFound) {
        findings.not_checked(
            "munge", {status.message(), place}, "libmunge cannot be loaded", "munge -n | unmunge");
        return;
    }
    findings.error("munge",
                   {status.message(), place},
                   "no Slurm daemon or command on this host can prove who it is",
                   "systemctl restart munge; munge -n | unmunge; the key "
                   "(/etc/munge/munge.key) must be the same on all hosts");
}

/// Seconds for which the two clocks differ at least; the answer was given between two of our times,
/// and both clocks are cut to whole seconds.
std::time_t skew(const ControllerAnswer& answer) {
    return std::max<std::time_t>(
        {0, answer.time - answer.answered - 1, answer.asked - answer.time - 1});
}

/// Launch credentials are refused when they are older than this: AuthInfo=cred_expire, 120 s by
/// default (slurm_cred.c, DEFAULT_EXPIRATION_WINDOW).
std::time_t credential_life(const Case& examined) {
    const std::string text = auth_info(examined, "cred_expire");
    std::time_t seconds = 0;
    std::from_chars(text.data(), text.data() + text.size(), seconds);
    return seconds > 0 ? seconds : 120;
}

/// From here on times in logs, drain reasons and evidence no longer fit together; a choice of this
/// project, far above what NTP leaves.
constexpr std::time_t kTolerated = 5;

void check_clock(const Case& examined, Findings& findings) {
    if (examined.roles.controller) {
        findings.not_checked(
            "clock",
            {"", examined.host.name},
            "slurmctld does not know the nodes' clocks; a node can compare its own "
            "with slurmctld's",
            "on a node: yardmaster doctor node");
        return;
    }
    if (!examined.controller) {
        findings.not_checked("clock",
                             {"", examined.host.name},
                             "slurmctld does not tell its time; clocks that differ by more than "
                             "5 minutes are themselves a reason why munge lets nothing through",
                             "chronyc tracking; ssh CONTROLLER date; date");
        return;
    }
    const std::time_t seconds = skew(*examined.controller);
    const Seen seen{count_of(static_cast<std::uint64_t>(seconds), "second"), examined.host.name};
    const char* const remedy = "timedatectl set-ntp true; chronyc makestep; chronyc tracking";
    const std::time_t life = credential_life(examined);
    if (seconds >= life) {
        findings.error("clock",
                       seen,
                       "this clock differs so much from slurmctld's that job credentials, which "
                       "live " +
                           std::to_string(life) + " s, are refused: no job starts here",
                       remedy);
    } else if (seconds > kTolerated) {
        findings.warning("clock",
                         seen,
                         "this clock differs from slurmctld's; credentials live " +
                             std::to_string(life) + " s, and times in logs do not fit together",
                         remedy);
    } else {
        findings.ok("clock", seen, "agrees with slurmctld's, as far as a second can tell");
    }
}

}  // namespace

void check_daemons(const Case& examined, Findings& findings) {
    check_controller(examined, findings);
    if (examined.roles.node) {
        check_node_daemon(examined, findings);
    }
    check_munge(examined, findings);
    check_clock(examined, findings);
}

}  // namespace yardmaster::cli::doctor
