// `yardmaster doctor`: what is wrong with this controller or node, and what to type about it.
#pragma once

#include <string>
#include <vector>

#include "cli/console.hpp"
#include "cli/doctor/case.hpp"

namespace yardmaster::cli {

struct DoctorOptions {
    std::string role;  ///< "controller", "node"; "": found out
    std::string node;  ///< this node's name in Slurm; "": from slurm.conf and the host's name
    bool json = false;
};

/// 0: nothing is wrong; 1: at least one warning or error; 2: the role or the node must be named;
/// 3: there is no slurm.conf to be read. Forks: call it from a single-threaded process.
ExitCode run_doctor(const DoctorOptions& options,
                    const doctor::Host& host,
                    const char* slurm_conf_from_environment,
                    const Console& console);

namespace doctor {

/// Every check that fits the roles, each group in a child of its own: one that hangs (a dead
/// network file system, a stuck driver) is given up and said to be not checked.
std::vector<Finding> run_checks_of(const Case& examined);

void print_text(const Case& examined, const std::vector<Finding>& findings, std::ostream& out);
void print_json(const Case& examined, const std::vector<Finding>& findings, std::ostream& out);

}  // namespace doctor
}  // namespace yardmaster::cli
