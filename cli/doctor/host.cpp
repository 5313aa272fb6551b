#include "cli/doctor/host.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include "cli/check_scope.hpp"
#include "cli/doctor/munge.hpp"
#include "healthcheck/budget/collect.hpp"
#include "healthcheck/small_file.hpp"

namespace yardmaster::cli::doctor {
namespace {

/// `slurmctld -V` prints at once; more than this is a hanging file system.
constexpr std::chrono::seconds kVersionLimit{5};

std::string short_host_name() {
    std::array<char, 256> name{};
    gethostname(name.data(), name.size() - 1);
    const std::string whole(name.data());
    return whole.substr(0, whole.find('.'));
}

bool runs_here(const std::string& name) {
    Host here;  // the real root
    const auto files = matches(here, "/proc/[0-9]*/comm");
    return std::any_of(files.begin(), files.end(), [&](const std::string& file) {
        const auto comm = read_small_file(file);
        return comm && *comm == name;
    });
}

/// Runs `program -V` in this (child) process's place: what it prints goes to `fd`.
void become_version(const std::string& program, int fd) {
    dup2(fd, STDOUT_FILENO);
    // slurmctld and slurmd lie in sbin, which a user's PATH may lack.
    const char* path = std::getenv("PATH");
    setenv("PATH", (std::string(path != nullptr ? path : "") + ":/usr/sbin:/sbin").c_str(), 1);
    execlp(program.c_str(), program.c_str(), "-V", nullptr);
    _exit(127);
}

Result<std::string> version_line(const std::string& program) {
    const auto lines = run_task({program + " -V", [&](int fd) { become_version(program, fd); }},
                                Clock::now() + kVersionLimit);
    if (!lines) {
        return lines.status();
    }
    if (lines->empty()) {
        return Status(ErrorCode::kNotFound, program + " is not installed here");
    }
    return lines->front();
}

Result<Report> passive_check(const CheckOptions& options) {
    const auto plan = plan_check(options);
    return plan ? Result<Report>(run_checks(
                      plan->scope, plan->policy.sources, Clock::now() + plan->policy.deadline))
                : Result<Report>(plan.status());
}

}  // namespace

Host real_host() {
    Host host;
    host.name = short_host_name();
    host.is_running = runs_here;
    host.version_of = version_line;
    host.ask_controller = ask_controller;
    host.munge_round_trip = munge_round_trip;
    host.check_node = passive_check;
    return host;
}

}  // namespace yardmaster::cli::doctor
