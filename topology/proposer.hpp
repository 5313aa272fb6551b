// One call of Placer::propose: the best set first, then the best of what avoids it.
#pragma once

#include <optional>
#include <vector>

#include "topology/cost_table.hpp"
#include "topology/placer.hpp"
#include "topology/planner.hpp"
#include "topology/supply.hpp"

namespace yardmaster {

class Proposer {
  public:
    /// The time budget runs from here. `choice` is the tree that nodes are chosen in, `cut` the one
    /// that sets are scored in.
    Proposer(const Fabric& fabric,
             const UnitTree& choice,
             const UnitTree& cut,
             const PlacementRequest& request);

    Result<std::vector<Candidate>> propose(const PlacementLimits& limits);

  private:
    using Clock = std::chrono::steady_clock;

    Result<Candidate> find();
    Result<Candidate> find_in_tree();
    Result<Candidate> find_in_leaf_groups();
    Candidate candidate(const Plan& plan) const;
    void avoid(const Candidate& used, std::optional<std::uint32_t> group);
    bool add(Result<Candidate> next, std::vector<Candidate>& found) const;

    const Clock::time_point start_ = Clock::now();
    const UnitTree& tree_;
    const UnitTree& cut_;
    const PlacementRequest& request_;
    const std::uint32_t quanta_;
    const Roster roster_;
    const Census census_;      // of tree_
    const Census cut_census_;  // of cut_
    std::vector<std::uint32_t> all_bins_;
    std::vector<std::uint8_t> avoided_;  // [NodeIndex]
    QuantaSupply supply_;
    CostTable costs_;
};

}  // namespace yardmaster
