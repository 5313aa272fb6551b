#include "topology/block_search.hpp"

#include <algorithm>
#include <numeric>

namespace yardmaster {

BlockSearch::BlockSearch(const UnitTree& tree,
                         const Census& census,
                         const QuantaSupply& supply,
                         std::uint32_t quantum,
                         std::uint32_t quanta,
                         std::uint32_t block,
                         std::uint32_t heights,
                         WorkMeter& work)
    : tree_(tree),
      census_(census),
      supply_(supply),
      quantum_(quantum),
      quanta_(quanta),
      block_(block),
      work_(work),
      fine_(tree, work) {
    count();
    heights_.reserve(heights);
    for (std::uint32_t height = 0; height < heights; ++height) {
        settle(height);
    }
    fine_.open(supply, quanta);
}

/// Quanta in every cell.
void BlockSearch::count() {
    const std::vector<Cell>& cells = tree_.cells();
    capacity_.assign(cells.size(), 0);
    forced_.assign(cells.size(), 0);
    for (std::size_t i = cells.size(); i-- > 0;) {
        if (cells[i].kind == CellKind::kBin) {
            capacity_[i] = supply_.capacity[cells[i].bin];
            forced_[i] = supply_.forced[cells[i].bin];
        }
        if (i > 0) {
            capacity_[cells[i].parent] += capacity_[i];
            forced_[cells[i].parent] += forced_[i];
        }
    }
}

void BlockSearch::settle(std::uint32_t number) {
    heights_.push_back({{}, CostTable(tree_, work_), true});
    Height& height = heights_.back();
    height.supply.height = number;
    height.supply.capacity.assign(capacity_.size(), 0);
    height.supply.forced.assign(capacity_.size(), 0);
    const std::vector<Cell>& cells = tree_.cells();
    for (std::uint32_t i = 1; i < cells.size(); ++i) {
        if (cells[i].height > number || cells[cells[i].parent].height <= number) {
            continue;
        }
        const std::uint32_t forced = (forced_[i] + block_ - 1) / block_;
        height.supply.capacity[i] = capacity_[i] / block_;
        height.supply.forced[i] = forced;
        height.supply.forced_total += forced;
        height.possible &= forced <= height.supply.capacity[i];
    }
    height.possible &= height.supply.forced_total <= quanta_ / block_;
    if (height.possible) {
        height.costs.compute_over(height.supply, quanta_ / block_);
    }
}

/// Appends the units of `height` inside `cell` that have any quanta.
void BlockSearch::add_floor(const Height& height,
                            std::uint32_t cell,
                            std::vector<std::uint32_t>& units) const {
    const Cell& here = tree_.cells()[cell];
    for (std::uint32_t child = here.first_child; child < here.first_child + here.child_count;
         ++child) {
        if (capacity_[child] == 0) {
            continue;
        }
        if (height.costs.is_floor(child)) {
            units.push_back(child);
        } else {
            add_floor(height, child, units);
        }
    }
    work_.add(here.child_count);
}

/// The cell with all blocks that costs least; of equals the one that has least to spare.
std::optional<std::uint32_t> BlockSearch::cheapest(const Height& height) const {
    std::optional<std::uint32_t> best;
    HopCost least = 0;
    const std::uint32_t blocks = quanta_ / block_;
    for (std::uint32_t i = 0; i < tree_.cells().size(); ++i) {
        if (height.costs.capacity(i) < blocks ||
            height.costs.forced(i) != height.supply.forced_total) {
            continue;
        }
        const HopCost cost = *height.costs.cost(i, blocks);
        if (!best || cost < least || (cost == least && capacity_[i] < capacity_[*best])) {
            best = i;
            least = cost;
        }
    }
    return best;
}

/// Roots are too large to be looked into at once; what they hold is shared out among units first.
std::uint32_t BlockSearch::fine_height() const {
    return std::max(3u, tree_.height()) - 2;
}

void BlockSearch::emit(std::uint32_t cell, std::uint32_t quanta, Plan& plan) {
    if (tree_.cells()[cell].kind == CellKind::kBin) {
        plan.shares.push_back({tree_.cells()[cell].bin, quanta});
        return;
    }
    if (tree_.cells()[cell].height > fine_height()) {
        failed_ = true;
        return;
    }
    fine_.compute_inside(cell);
    const Planner planner(tree_, census_, supply_, fine_, quantum_);
    for (const BinShare& share : planner.plan_inside(cell, quanta).shares) {
        plan.shares.push_back(share);
    }
}

/// Blocks in those units inside `cell` that cost least, evenly.
void BlockSearch::by_cost(std::uint32_t cell, std::uint32_t blocks, int number, Plan& plan) {
    const Height& height = heights_[static_cast<std::size_t>(number)];
    std::vector<std::uint32_t> units;
    height.costs.select(cell, blocks, units);
    std::sort(units.begin(), units.end());
    std::vector<ShareBounds> bounds;
    for (std::uint32_t unit : units) {
        bounds.push_back({height.supply.forced[unit], height.supply.capacity[unit]});
    }
    const std::vector<std::uint32_t> shares = water_fill(bounds, blocks);
    for (std::size_t i = 0; i < units.size(); ++i) {
        if (shares[i] > 0) {
            distribute(units[i], shares[i] * block_, number - 1, plan);
        }
    }
}

/// Takes what is `missing` from what units have over: of the largest of these all, until the
/// smallest that has the rest will do.
void BlockSearch::fill_up(const std::vector<std::uint32_t>& units,
                          std::uint32_t missing,
                          std::vector<std::uint32_t>& taken) const {
    const auto spare = [&](std::size_t i) { return capacity_[units[i]] - taken[i]; };
    std::vector<std::uint32_t> order(missing > 0 ? units.size() : 0);
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(
        order.begin(), order.end(), [&](auto a, auto b) { return spare(a) > spare(b); });
    for (std::size_t i = 0; i < order.size() && missing > 0; ++i) {
        std::uint32_t chosen = order[i];
        for (std::size_t k = i; k < order.size() && spare(order[k]) >= missing; ++k) {
            chosen = spare(order[k]) < spare(chosen) ? order[k] : chosen;
        }
        const std::uint32_t more = std::min(missing, spare(chosen));
        taken[chosen] += more;
        missing -= more;
    }
}

/// As many whole blocks as units inside `cell` have, the largest units first, and what is missing
/// from what these have over, in few pieces.
void BlockSearch::by_size(std::uint32_t cell, std::uint32_t quanta, int number, Plan& plan) {
    const Height& height = heights_[static_cast<std::size_t>(number)];
    std::vector<std::uint32_t> units;
    add_floor(height, cell, units);
    std::sort(units.begin(), units.end(), [&](std::uint32_t a, std::uint32_t b) {
        return capacity_[a] != capacity_[b] ? capacity_[a] > capacity_[b] : a < b;
    });
    std::vector<std::uint32_t> taken(units.size(), 0);
    std::uint32_t missing = quanta;
    for (std::size_t i = 0; i < units.size(); ++i) {
        taken[i] = std::min(missing / block_, capacity_[units[i]] / block_) * block_;
        missing -= taken[i];
    }
    fill_up(units, missing, taken);
    for (std::size_t i = 0; i < units.size(); ++i) {
        if (taken[i] > 0) {
            distribute(units[i], taken[i], number - 1, plan);
        }
    }
}

void BlockSearch::distribute(std::uint32_t cell, std::uint32_t quanta, int number, Plan& plan) {
    if (number < 0 || tree_.cells()[cell].height <= static_cast<std::uint32_t>(number)) {
        number = std::min(number, static_cast<int>(tree_.cells()[cell].height) - 1);
    }
    if (number < 0 || quanta < block_) {
        emit(cell, quanta, plan);
        return;
    }
    const Height& height = heights_[static_cast<std::size_t>(number)];
    if (height.possible && quanta % block_ == 0 && height.costs.capacity(cell) >= quanta / block_) {
        by_cost(cell, quanta / block_, number, plan);
    } else if (supply_.forced_total == 0) {
        by_size(cell, quanta, number, plan);
    } else {
        emit(cell, quanta, plan);
    }
}

std::optional<Plan> BlockSearch::plan(std::optional<std::uint32_t> holder, std::uint32_t number) {
    const Height& height = heights_[number];
    const auto top = height.possible ? cheapest(height) : std::nullopt;
    Plan plan;
    failed_ = false;
    const int floor = static_cast<int>(number);
    if (top && height.costs.is_floor(*top)) {
        distribute(*top, quanta_, floor - 1, plan);
    } else if (top || holder) {
        distribute(top ? *top : *holder, quanta_, floor, plan);
    } else {
        return std::nullopt;
    }
    return failed_ ? std::nullopt : std::optional(std::move(plan));
}

}  // namespace yardmaster
