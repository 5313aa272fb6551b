// `yardmaster check`: the prolog's checks on this node, by hand. Drains nothing.
#pragma once

#include <string>

#include "cli/console.hpp"
#include "healthcheck/evidence.hpp"

namespace yardmaster::cli {

struct CheckOptions {
    std::string gpus;         ///< "0-3,6"; "": all of the node
    std::string node;         ///< its name in Slurm; "": SLURMD_NODENAME, else the short host name
    std::string fabric_file;  ///< "": beside slurm.conf
    std::string policy_file;  ///< "": yardmaster.json beside slurm.conf, where there is one
    bool json = false;
};

/// 0: healthy; 1: degraded; 3: unknown.
ExitCode exit_code_of(Verdict verdict);

/// The bundle of a check that a person asked for now: nothing is done about it.
Evidence evidence_by_hand(const Report& report, const std::string& occasion);

/// 0: healthy; 1: degraded; 2: bad options; 3: something could not be measured. Forks: call it from
/// a single-threaded process.
ExitCode run_check(const CheckOptions& options, const Console& console);

}  // namespace yardmaster::cli
