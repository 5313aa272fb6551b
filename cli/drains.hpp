// `yardmaster drains`: the nodes that our prolog has drained, and on what evidence.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/console.hpp"
#include "cli/slurm_client.hpp"
#include "healthcheck/reason.hpp"

namespace yardmaster::cli {

struct DrainsOptions {
    std::string
        evidence_dir;  ///< where files may be readable; "": the policy's folder for the node
    bool json = false;
};

/// One of our drains.
struct Drain {
    SlurmNode node;
    std::optional<DrainReason> reason;  ///< none: somebody has edited our reason
    std::string evidence_file;          ///< "": not readable here (it lies on the drained node)
    std::string verdict;                ///< the evidence's, "" when it is not readable here
    std::string
        detail;  ///< "mlx5_3: runs at ...": the reason's; the evidence's, uncut, if readable
};

struct DrainList {
    std::vector<Drain> ours;  ///< in node-table order
    std::size_t others = 0;   ///< nodes that somebody else drained
};

DrainList find_drains(const std::vector<SlurmNode>& cluster, const std::string& evidence_dir);

/// 0: none of ours; 1: at least one; 3: slurmctld does not answer.
ExitCode run_drains(const DrainsOptions& options, SlurmClient& slurm, const Console& console);

}  // namespace yardmaster::cli
