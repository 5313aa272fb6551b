// The machine that doctor looks at, behind values and functions that a test can replace.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/status.hpp"
#include "cli/check.hpp"
#include "cli/doctor/controller.hpp"
#include "healthcheck/checks.hpp"

namespace yardmaster::cli::doctor {

struct Host {
    std::string root;         ///< put before every path that is looked at; "": the machine itself
    std::string name;         ///< its host name as `hostname -s` prints it
    uid_t trusted_owner = 0;  ///< who must own what slurmd runs as root
    /// Whether a process of this name runs here ("slurmctld"; at most 15 characters).
    std::function<bool(const std::string& name)> is_running;
    /// What `program -V` prints ("slurm-wlm 22.05.8"); kNotFound when it is not installed.
    std::function<Result<std::string>(const std::string& program)> version_of;
    std::function<Result<ControllerAnswer>(const std::string& slurm_conf)> ask_controller;
    std::function<Status(const std::string& socket)> munge_round_trip;
    /// The prolog's checks, passively, as `yardmaster check` runs them.
    std::function<Result<Report>(const CheckOptions&)> check_node;
};

/// This machine.
Host real_host();

struct FileFacts {
    bool is_folder = false;
    bool is_regular = false;
    bool is_character_device = false;
    mode_t permissions = 0;  ///< the lowest twelve bits of st_mode
    uid_t owner = 0;
};

/// What `path` is, links followed. kNotFound, kUnreadable with the system's reason.
Result<FileFacts> look_at(const Host& host, const std::string& path);
/// `path` with all links resolved, without the host's root; itself where that fails.
std::string resolve(const Host& host, const std::string& path);
/// The whole content, given up after 5 s. Errors as read_config_file.
Result<std::string> read_text(const Host& host, const std::string& path);
/// Paths that match a glob(7) pattern, ascending; empty when none does.
std::vector<std::string> matches(const Host& host, const std::string& pattern);
/// Bytes that the file system of `path` has left for root; none when it cannot be asked.
std::optional<std::uint64_t> free_bytes(const Host& host, const std::string& path);

}  // namespace yardmaster::cli::doctor
