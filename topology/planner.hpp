// Turns "so many quanta inside this cell" into shares for bins: cheapest first, then balanced, then
// with the least fragmentation.
#pragma once

#include <compare>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "topology/cost_table.hpp"
#include "topology/supply.hpp"
#include "topology/unit_tree.hpp"
#include "topology/water_fill.hpp"

namespace yardmaster {

/// How well a choice fits, most important first; smaller is better.
struct Fit {
    std::uint32_t imbalance = 0;         ///< quanta in the fullest leaf group minus the emptiest
    std::uint32_t fresh_nodes = 0;       ///< nodes taken that no job uses yet
    std::uint32_t broken_domains = 0;    ///< wholly free multi-node domains entered
    std::uint32_t broken_groups = 0;     ///< wholly free leaf groups entered
    std::uint32_t leftover_nodes = 0;    ///< usable nodes left in the touched leaf groups
    std::uint32_t leftover_in_bins = 0;  ///< nodes to choose from left in the touched bins
    std::uint32_t index = 0;             ///< lowest first, so that equals are decided the same way
    auto operator<=>(const Fit&) const = default;
    /// Sums all but imbalance and index.
    void add(const Fit& other);
};

struct BinShare {
    std::uint32_t bin = 0;
    std::uint32_t quanta = 0;
};

struct Plan {
    std::vector<BinShare> shares;
    Fit fit;
};

class Planner {
  public:
    Planner(const UnitTree& tree,
            const Census& census,
            const QuantaSupply& supply,
            const CostTable& costs,
            std::uint32_t quantum)
        : tree_(tree), census_(census), supply_(supply), costs_(costs), quantum_(quantum) {}

    /// The best plans for `quanta` quanta in the whole tree or, with `leaf_only`, inside one leaf
    /// group: of every height of cells that hold the job the cheapest, lowest first, where it costs
    /// no more than all lower ones. None: they are not to be had.
    std::vector<Plan> best(std::uint32_t quanta, bool leaf_only) const;
    /// The cheapest plan for `quanta` quanta inside `cell`, which has them.
    Plan plan_inside(std::uint32_t cell, std::uint32_t quanta) const;

  private:
    /// A leaf group, or a bin outside all, that a plan takes quanta from.
    struct Group {
        std::uint32_t cell = 0;
        ShareBounds bounds;
        std::uint32_t share = 0;
        std::vector<std::uint32_t> bins;
    };

    Plan best_of(const std::vector<std::uint32_t>& equals, std::uint32_t quanta) const;
    bool holds_job(std::uint32_t cell, bool leaf_only) const;
    Fit fit_inside(std::uint32_t cell, std::uint32_t quanta) const;

    std::vector<Group> selected_groups(std::uint32_t cell, std::uint32_t quanta) const;
    void fill_domains(std::vector<Group>& groups, std::uint32_t quanta) const;
    void refit_siblings(std::vector<Group>& groups) const;
    struct Likeness;
    std::vector<std::uint32_t> refit_run(const Group& first,
                                         std::size_t count,
                                         std::vector<std::uint8_t>& taken) const;
    void share_out(const Group& group, std::vector<BinShare>& shares) const;
    void share_over(const std::vector<std::uint32_t>& bins,
                    std::uint32_t quanta,
                    std::vector<BinShare>& shares) const;
    void pick_bins(std::uint32_t leaf, std::uint32_t quanta, std::vector<BinShare>& shares) const;
    void pick_mixed(std::uint32_t leaf, std::uint32_t quanta, std::vector<BinShare>& shares) const;
    void pick_domains(std::vector<std::uint32_t> bins,
                      std::uint32_t quanta,
                      std::vector<BinShare>& shares) const;

    Fit fit_of_bin(std::uint32_t bin, std::uint32_t quanta) const;
    Fit fit_of_group(std::uint32_t cell, std::uint32_t quanta) const;
    bool simple(std::uint32_t cell) const;

    const UnitTree& tree_;
    const Census& census_;
    const QuantaSupply& supply_;
    const CostTable& costs_;
    const std::uint32_t quantum_;
};

}  // namespace yardmaster
