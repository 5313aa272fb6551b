// `yardmaster ranks`: the best order of a job's nodes, written as launchers read it.
#pragma once

#include <optional>
#include <string>

#include "cli/console.hpp"
#include "cli/slurm_client.hpp"

namespace yardmaster::cli {

struct RanksOptions {
    std::string job;                   ///< "123", "123_4", "123+1"; "": `nodes` on paper
    std::string nodes;                 ///< host list
    std::uint32_t gpus_per_node = 0;   ///< 0: the job's own
    std::optional<std::string> hints;  ///< instead of the job's own
    std::string fabric_file;           ///< "": beside slurm.conf
    std::string policy_file;           ///< "": yardmaster.json beside it, where there is one
    std::string format = "table";      ///< table, srun, hostfile, mpirun, torchrun, env
    std::string node;                  ///< only this node's lines; "": all
    std::uint32_t tasks_per_node = 0;  ///< srun and mpirun: 0: one for each GPU
    std::uint16_t port = 29500;        ///< torchrun's default
    std::string output;                ///< "": standard output
    bool json = false;
};

/// `slurm` is used with a job id only, and may be null without one. 0: written; 1: written, but TP
/// groups lie in several NVLink domains in the best order found; 2: bad command line; 3: the job,
/// the controller or a file is out of reach.
ExitCode run_ranks(const RanksOptions& options, SlurmClient* slurm, const Console& console);

}  // namespace yardmaster::cli
