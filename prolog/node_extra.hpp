// A node's Extra in slurmctld, behind an interface so that what is told there can be tested without
// one.
#pragma once

#include <memory>
#include <string>

#include "base/status.hpp"

namespace yardmaster {

/// Every call is one message to slurmctld and may block for minutes when it is down: use them only
/// in a child that can be killed. Errors: kUnavailable with Slurm's reason.
class NodeExtra {
  public:
    virtual ~NodeExtra() = default;
    /// "" when there is none.
    virtual Result<std::string> read(const std::string& node) = 0;
    /// Replaces it, whatever is there; "" removes it.
    virtual Status write(const std::string& node, const std::string& extra) = 0;
};

/// slurmctld through libslurm, as make_slurm_controller.
std::unique_ptr<NodeExtra> make_slurm_node_extra(const std::string& slurm_conf);

}  // namespace yardmaster
