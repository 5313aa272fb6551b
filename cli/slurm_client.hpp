// What the commands need of slurmctld: nodes and jobs as plain values. libslurm stays in the .cpp.
#pragma once

#include <cstdint>
#include <ctime>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/status.hpp"
#include "topology/soft_mark.hpp"

namespace yardmaster::cli {

struct SlurmNode {
    std::string name;
    std::string state;  ///< as sinfo writes it: "IDLE+DRAIN"
    bool busy = false;  ///< allocated in full
    bool part_used = false;
    bool drained = false;  ///< drained or draining
    bool usable = true;    ///< neither drained nor down, failing or future
    std::string reason;    ///< "" when none is set
    std::time_t reason_time = 0;
    std::uint32_t reason_uid = 0;
    std::uint32_t gpus = 0;          ///< from Gres=, all types together
    std::uint32_t gpus_used = 0;     ///< of these, in the hands of jobs
    std::optional<SoftMark> soft{};  ///< in force when the node was read; none: not soft-degraded
};

struct SlurmJob {
    enum class Phase { kPending, kRunning, kEnded };

    std::uint32_t id = 0;
    std::uint32_t array_job = 0;              ///< 0: no array task
    std::optional<std::uint32_t> array_task;  ///< none: no array, or its not yet split rest
    std::optional<std::uint32_t> het_offset;  ///< none: no component of a heterogeneous job
    std::string name;
    std::string partition;
    std::uint32_t uid = 0;
    Phase phase = Phase::kPending;
    std::string state;   ///< "PENDING", "RUNNING", ...
    std::string reason;  ///< why it is pending: "Resources"; "None" when there is none
    std::string comment;
    std::string admin_comment;
    std::string features;        ///< --constraint as Slurm keeps it, our hints already taken out
    std::time_t start_time = 0;  ///< began, or the estimate; 0: not known
    std::time_t end_time = 0;    ///< ended, or ends at the latest by its time limit; 0: not known
    std::uint32_t num_nodes = 0;
    std::uint32_t gpus_per_node = 0;  ///< allocated on the first node, else asked for; 0: none
    bool uneven_gpus = false;         ///< its nodes have different numbers of GPUs
    std::vector<std::string> nodes;   ///< in node-table order; empty when none are allocated
};

/// A connection to the controller of one configuration. Not thread-safe.
class SlurmClient {
  public:
    virtual ~SlurmClient() = default;
    /// slurm.conf, as libslurm found it.
    virtual std::string config_file() const = 0;
    /// Every node, in node-table order. kUnavailable: the controller does not answer.
    virtual Result<std::vector<SlurmNode>> nodes() = 0;
    /// The records of job `id` (an array has several). kNotFound: no such job (Slurm forgets ended
    /// jobs after MinJobAge); kUnavailable: the controller does not answer.
    virtual Result<std::vector<SlurmJob>> jobs(std::uint32_t id) = 0;
    /// Every job that holds nodes: running, suspended or completing.
    virtual Result<std::vector<SlurmJob>> jobs_on_nodes() = 0;
    /// Takes the DRAIN flag from a node, and no other (State=UNDRAIN). kUnavailable: the controller
    /// does not answer, or refuses (only operators may).
    virtual Status undrain(const std::string& node) = 0;
};

/// Connects with the slurm.conf that SLURM_CONF names, else Slurm's own default. kNotFound when
/// SLURM_CONF names no file. A slurm.conf that libslurm cannot parse ends the process with code 3:
/// libslurm gives no choice.
Result<std::unique_ptr<SlurmClient>> connect_to_slurm();

/// GPUs in a Gres string of a node or job: "gpu:h100:8(S:0-1),shard:16" -> 8.
std::uint32_t count_gpus(const std::string& gres);

/// The fabric file that stands beside slurm.conf: SLURM_CONF's folder, else /etc/slurm.
std::string default_fabric_file();

}  // namespace yardmaster::cli
