// What the prolog asks of slurmctld, behind an interface so that the drain sequence can be tested
// without one.
#pragma once

#include <cstdint>
#include <ctime>
#include <memory>
#include <string>
#include <vector>

#include "base/status.hpp"

namespace yardmaster {

/// A node as slurmctld sees it.
struct NodeState {
    std::string name;
    bool out_of_service = false;  ///< DRAIN or FAIL flag, or state DOWN
    std::string reason;           ///< "" when none is set
    std::time_t reason_time = 0;  ///< seconds since 1970; meaningless without a reason
};

/// What became of a job whose node was drained.
enum class GivenBack {
    kRequeued,
    kCancelled,  ///< it may not be requeued: salloc, srun, --no-requeue
};

/// Every call is one message to slurmctld and may block or retry for minutes when it is down: use
/// them only in a child that can be killed. Errors: kUnavailable with Slurm's reason.
class Controller {
  public:
    virtual ~Controller() = default;
    virtual Result<NodeState> node(const std::string& name) = 0;
    virtual Result<std::vector<NodeState>> nodes() = 0;
    /// Sets DRAIN with `reason`, overwriting whatever reason is there.
    virtual Status drain(const std::string& name, const std::string& reason) = 0;
    virtual Status resume(const std::string& name) = 0;
    /// Takes a job off its nodes as slurmd will when its prolog has failed: a batch job is requeued
    /// (held, unless nohold_on_prolog_fail is set), any other is cancelled and `note` shown to it.
    virtual Result<GivenBack> give_back(std::uint32_t job, const std::string& note) = 0;
};

/// slurmctld through libslurm, by the configuration file `slurm_conf`. libslurm ends the process
/// when it cannot read that file.
std::unique_ptr<Controller> make_slurm_controller(const std::string& slurm_conf);

}  // namespace yardmaster
