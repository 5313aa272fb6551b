// Plans that keep blocks of quanta (pipeline stages, expert groups) whole inside units.
#pragma once

#include <optional>
#include <vector>

#include "topology/cost_table.hpp"
#include "topology/planner.hpp"
#include "topology/supply.hpp"
#include "topology/unit_tree.hpp"

namespace yardmaster {

class BlockSearch {
  public:
    /// For a job of `quanta` quanta of `quantum` nodes each, in blocks of `block` quanta, a
    /// divisor, and for the lowest `heights` heights.
    BlockSearch(const UnitTree& tree,
                const Census& census,
                const QuantaSupply& supply,
                std::uint32_t quantum,
                std::uint32_t quanta,
                std::uint32_t block,
                std::uint32_t heights,
                WorkMeter& work);
    /// Heights of a tree that blocks can be kept in, from bins up; the join of all is none.
    static std::uint32_t heights_of(const UnitTree& tree) { return tree.height(); }

    /// As many blocks as can be inside units of `height`, there again inside lower ones. `holder`
    /// is a cell that has all the quanta: the plan stays inside it when no choice of units has all
    /// blocks. None: there is no such plan, or it would need a holder.
    std::optional<Plan> plan(std::optional<std::uint32_t> holder, std::uint32_t height);

  private:
    struct Height {
        FloorSupply supply;
        CostTable costs;
        bool possible = false;  ///< forced quanta leave room for whole blocks
    };

    void count();
    void settle(std::uint32_t height);
    std::optional<std::uint32_t> cheapest(const Height& height) const;
    void distribute(std::uint32_t cell, std::uint32_t quanta, int height, Plan& plan);
    void by_cost(std::uint32_t cell, std::uint32_t blocks, int height, Plan& plan);
    void by_size(std::uint32_t cell, std::uint32_t quanta, int height, Plan& plan);
    void fill_up(const std::vector<std::uint32_t>& units,
                 std::uint32_t missing,
                 std::vector<std::uint32_t>& taken) const;
    void emit(std::uint32_t cell, std::uint32_t quanta, Plan& plan);
    std::uint32_t fine_height() const;
    void add_floor(const Height& height,
                   std::uint32_t cell,
                   std::vector<std::uint32_t>& units) const;

    const UnitTree& tree_;
    const Census& census_;
    const QuantaSupply& supply_;
    const std::uint32_t quantum_, quanta_, block_;
    WorkMeter& work_;
    std::vector<std::uint32_t> capacity_, forced_;  // [cell] quanta
    std::vector<Height> heights_;
    CostTable fine_;
    bool failed_ = false;  // the plan in the making cannot be made
};

}  // namespace yardmaster
