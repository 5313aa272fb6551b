// What the running slurmctld answers, asked in a child: libslurm may retry for minutes, and ends
// its process over a slurm.conf that it does not like.
#pragma once

#include <chrono>
#include <ctime>
#include <string>
#include <vector>

#include "base/status.hpp"
#include "cli/slurm_client.hpp"
#include "prolog/slurm_conf.hpp"

namespace yardmaster::cli::doctor {

struct ControllerAnswer {
    std::string version;           ///< of the running slurmctld, "22.05.8"
    std::time_t time = 0;          ///< its clock when it answered, seconds since 1970
    std::time_t asked = 0;         ///< this host's clock before the question
    std::time_t answered = 0;      ///< and after the answer
    Settings settings;             ///< keys as in slurm.conf, place "slurmctld"
    std::vector<SlurmNode> nodes;  ///< name and GPUs only, in node-table order
};

/// Longer than the 10 s for which libslurm knocks at a closed port (MessageTimeout), so that its
/// own error is seen rather than our limit.
inline constexpr std::chrono::seconds kControllerLimit{15};

/// Asks the controller that `slurm_conf` names. kUnavailable: it does not answer, or libslurm ended
/// over the file; kTimeout: no answer within kControllerLimit. Forks: call it from a
/// single-threaded process.
Result<ControllerAnswer> ask_controller(const std::string& slurm_conf);

}  // namespace yardmaster::cli::doctor
