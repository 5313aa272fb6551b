// One call of Placer::propose: the best set first, then the best of what avoids it.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "topology/block_search.hpp"
#include "topology/cost_table.hpp"
#include "topology/job_model.hpp"
#include "topology/placer.hpp"
#include "topology/placer_tables.hpp"
#include "topology/planner.hpp"
#include "topology/score.hpp"
#include "topology/supply.hpp"
#include "topology/work.hpp"

namespace yardmaster {

class Proposer {
  public:
    Proposer(const PlacerTables& tables, const PlacementRequest& request);

    Result<std::vector<Candidate>> propose(const PlacementLimits& limits);

  private:
    Result<Candidate> find();
    Result<Candidate> find_in_one_fabric();
    Result<Candidate> find_at_any_speed();
    Result<Candidate> find_on_sound_nodes();
    Result<Candidate> find_here();
    Status count();
    /// A plan, and the way to it.
    struct Way {
        std::uint32_t block = 0;  ///< quanta kept together; 0: none
        std::uint32_t height = 0;
    };
    struct Found {
        Plan plan;
        Way way;
    };
    std::vector<Found> plans();
    void add_block_plans(std::optional<std::uint32_t> holder, std::vector<Found>& found);
    bool worth_blocks(const Plan& lowest) const;
    Candidate candidate(const Plan& plan);
    Candidate scored(std::vector<NodeIndex> nodes);
    void try_all(Candidate& best);
    std::span<Candidate> best_tried(std::size_t count);
    std::vector<std::vector<std::uint32_t>> places() const;
    void improve(Plan plan, Candidate& best);
    bool shift(std::uint32_t from, std::uint32_t to, Plan& plan, Candidate& best);
    std::vector<std::uint32_t> takers(const Plan& plan) const;
    void avoid(const Candidate& used, std::optional<std::uint32_t> group);
    std::vector<std::uint32_t> groups_of(const Candidate& used, std::size_t most) const;
    bool add(Result<Candidate> next, std::vector<Candidate>& found) const;

    const PlacerTables& tables_;
    const PlacementRequest& request_;
    const JobModel job_;
    const UnitTree& tree_;  // that nodes are chosen in
    const UnitTree& cut_;   // that sets are scored in
    const Roster roster_;
    const Census census_;      // of tree_
    const Census cut_census_;  // of cut_
    Scorer scorer_;
    bool slow_nodes_ = false;  // some usable node has slow rails, and some has none
    std::vector<std::uint32_t> all_bins_;
    std::vector<std::uint8_t> avoided_;  // [NodeIndex]
    QuantaSupply supply_;
    WorkMeter work_;
    CostTable costs_;
    bool thorough_ = false;   // worth more time: the first choice
    std::optional<Way> way_;  // that led to the first choice; later ones go the same
    Way last_way_;
    int tries_left_ = 0;            // of `improve`
    std::vector<Candidate> tried_;  // by `try_all`
};

}  // namespace yardmaster
