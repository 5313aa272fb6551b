// A simulated node of one model with a job on all its GPUs, damaged and looked at by the shipped
// checks.
#pragma once

#include <chrono>
#include <string>

#include "healthcheck/checks.hpp"
#include "tests/faults/fault_table.hpp"
#include "tests/healthcheck/scratch_folder.hpp"
#include "tests/sim/sim_node.hpp"

namespace yardmaster::faults {

/// What came of one look.
struct Seen {
    Report report;
    /// Degraded: the first 20 characters of the drain reason. Unknown: the cause without "ym ", or
    /// the sign of the finding that has no cause. Healthy: "".
    std::string shown;
};

/// Whether the NCCL probe was built (YM_NCCL).
bool has_nccl_probe();

class MatrixNode {
  public:
    explicit MatrixNode(const sim::SimModel& model);

    /// Errors of the simulated hardware.
    Status create() const { return node_.create(settings_); }

    /// Looks at the node as it is.
    Seen look(Looking looking) const { return look(looking, std::chrono::seconds(60)); }
    /// Looks, and keeps counters and rates as the prolog does.
    Seen look_and_keep(Looking looking) const;

    /// Heals the node, does `fault` to it, and looks. Errors: the commands'.
    Result<Seen> look_with(const Fault& fault) const;

  private:
    Seen look(Looking looking, std::chrono::milliseconds budget) const;
    CheckSources sources(Looking looking) const;

    testing::ScratchFolder folder_;
    sim::SimNode node_;
    sim::NodeSettings settings_;
    CheckScope scope_;
};

/// Whether `seen` is what the table says of `fault` on `model`.
bool as_expected(const Fault& fault, const sim::SimModel& model, const Seen& seen);

}  // namespace yardmaster::faults
