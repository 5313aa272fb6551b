#include "topology/planner.hpp"

#include <algorithm>
#include <tuple>

namespace yardmaster {
namespace {

/// Cells that cost the same are compared by fit only up to here; beyond, the lower index wins.
constexpr std::uint32_t kMaxComparedUnits = 64;

/// Looks at a leaf group that a plan is fitted to.
constexpr std::uint64_t kStepsToFit = 10;

struct Fitted {
    Fit fit;
    std::uint32_t item = 0;
};

/// Puts the `count` best of `fitted` first, best first.
void best_first(std::vector<Fitted>& fitted, std::size_t count) {
    std::partial_sort(fitted.begin(),
                      fitted.begin() + static_cast<std::ptrdiff_t>(count),
                      fitted.end(),
                      [](const Fitted& a, const Fitted& b) { return a.fit < b.fit; });
}

}  // namespace

void Fit::add(const Fit& other) {
    fresh_nodes += other.fresh_nodes;
    broken_domains += other.broken_domains;
    broken_groups += other.broken_groups;
    leftover_nodes += other.leftover_nodes;
    leftover_in_bins += other.leftover_in_bins;
}

Fit Planner::fit_of_bin(std::uint32_t number, std::uint32_t quanta) const {
    const Bin& bin = tree_.bins()[number];
    const std::uint32_t nodes = quanta * quantum_;
    const std::uint32_t part_used = supply_.part_used[number];
    Fit fit;
    fit.fresh_nodes = nodes > part_used ? nodes - part_used : 0;
    fit.broken_domains = bin.multi_node_domain && census_.domain_free[raw(bin.domain)] != 0 ? 1 : 0;
    fit.leftover_in_bins = (supply_.capacity[number] - quanta) * quantum_;
    fit.index = bin.cell;
    return fit;
}

/// Whether all that `cell` can give comes from one bin.
bool Planner::simple(std::uint32_t index) const {
    const Cell& cell = tree_.cells()[index];
    return cell.kind == CellKind::kBin || (cell.kind == CellKind::kLeaf && cell.child_count == 1);
}

Fit Planner::fit_of_group(std::uint32_t index, std::uint32_t quanta) const {
    const Cell& cell = tree_.cells()[index];
    Fit fit;
    if (simple(index)) {
        const std::uint32_t bin =
            cell.kind == CellKind::kBin ? cell.bin : tree_.cells()[cell.first_child].bin;
        fit = fit_of_bin(bin, quanta);
    } else {
        std::vector<BinShare> shares;
        pick_bins(index, quanta, shares);
        for (const BinShare& share : shares) {
            fit.add(fit_of_bin(share.bin, share.quanta));
        }
    }
    fit.index = index;
    const Cell& group = tree_.cells()[cell.group];
    fit.broken_groups =
        group.kind == CellKind::kLeaf && census_.group_free[cell.group] != 0 ? 1 : 0;
    const std::uint32_t usable = census_.group_usable[cell.group];
    fit.leftover_nodes = usable - std::min(usable, quanta * quantum_);
    return fit;
}

/// Even shares over `bins` between their bounds.
void Planner::share_over(const std::vector<std::uint32_t>& bins,
                         std::uint32_t quanta,
                         std::vector<BinShare>& shares) const {
    std::vector<ShareBounds> bounds;
    for (std::uint32_t bin : bins) {
        bounds.push_back({supply_.forced[bin], supply_.capacity[bin]});
    }
    const std::vector<std::uint32_t> split = water_fill(bounds, quanta);
    for (std::size_t i = 0; i < bins.size(); ++i) {
        if (split[i] > 0) {
            shares.push_back({bins[i], split[i]});
        }
    }
}

/// Takes `quanta` from as few of `bins` as possible, evenly, from those that fit best.
void Planner::pick_domains(std::vector<std::uint32_t> bins,
                           std::uint32_t quanta,
                           std::vector<BinShare>& shares) const {
    const auto& capacity = supply_.capacity;
    std::stable_sort(bins.begin(), bins.end(), [&](std::uint32_t a, std::uint32_t b) {
        return capacity[a] > capacity[b];
    });
    std::vector<std::uint32_t> largest;
    for (std::uint64_t sum = 0; sum < quanta && largest.size() < bins.size();) {
        sum += capacity[bins[largest.size()]];
        largest.push_back(bins[largest.size()]);
    }
    std::vector<BinShare> wanted;
    share_over(largest, quanta, wanted);
    std::stable_sort(wanted.begin(), wanted.end(), [](const BinShare& a, const BinShare& b) {
        return a.quanta > b.quanta;
    });
    // The largest share chooses first: whatever holds it would hold the others too.
    for (const BinShare& share : wanted) {
        auto best = bins.end();
        for (auto bin = bins.begin(); bin != bins.end(); ++bin) {
            if (capacity[*bin] >= share.quanta &&
                (best == bins.end() ||
                 fit_of_bin(*bin, share.quanta) < fit_of_bin(*best, share.quanta))) {
                best = bin;
            }
        }
        shares.push_back({*best, share.quanta});
        bins.erase(best);
    }
}

/// `quanta` inside a leaf group where nothing is forced, from NVLink domains as far as these go.
void Planner::pick_mixed(std::uint32_t leaf,
                         std::uint32_t quanta,
                         std::vector<BinShare>& shares) const {
    const Cell& cell = tree_.cells()[leaf];
    std::vector<std::uint32_t> domains;
    std::vector<std::uint32_t> others;
    std::uint32_t in_domains = 0;
    for (std::uint32_t i = 0; i < cell.child_count; ++i) {
        const std::uint32_t bin = tree_.cells()[cell.first_child + i].bin;
        const bool shared = tree_.bins()[bin].multi_node_domain && supply_.capacity[bin] > 0;
        in_domains += shared ? supply_.capacity[bin] : 0;
        (shared ? domains : others).push_back(bin);
    }
    const std::uint32_t first = std::min(quanta, in_domains);
    if (first > 0) {
        pick_domains(std::move(domains), first, shares);
    }
    if (quanta > first) {
        share_over(others, quanta - first, shares);
    }
}

/// `quanta` inside a leaf group where nothing is forced, from as few NVLink domains as possible.
void Planner::pick_bins(std::uint32_t leaf,
                        std::uint32_t quanta,
                        std::vector<BinShare>& shares) const {
    if (supply_.mixed) {
        pick_mixed(leaf, quanta, shares);
        return;
    }
    const Cell& cell = tree_.cells()[leaf];
    std::vector<std::uint32_t> domains;
    std::uint32_t largest = 0;
    for (std::uint32_t i = 0; i < cell.child_count; ++i) {
        const Cell& child = tree_.cells()[cell.first_child + i];
        const std::uint32_t capacity = supply_.capacity[child.bin];
        if (capacity == 0) {
            continue;
        }
        if (child.weight > 0) {
            domains.push_back(child.bin);
            largest = std::max(largest, capacity);
        } else if (capacity >= quanta || cell.child_count == 1) {
            shares.push_back({child.bin, quanta});
            return;
        }
    }
    for (std::uint32_t i = 0; i < cell.child_count && largest < quanta; ++i) {
        const Cell& child = tree_.cells()[cell.first_child + i];
        const std::uint32_t capacity = std::min(supply_.capacity[child.bin], quanta);
        if (child.weight == 0 && capacity > 0) {
            shares.push_back({child.bin, capacity});
            quanta -= capacity;
        }
    }
    if (quanta > 0) {
        pick_domains(std::move(domains), quanta, shares);
    }
}

std::vector<Planner::Group> Planner::selected_groups(std::uint32_t cell,
                                                     std::uint32_t quanta) const {
    std::vector<std::uint32_t> bins;
    costs_.select(cell, quanta, bins);
    std::sort(bins.begin(), bins.end(), [&](std::uint32_t a, std::uint32_t b) {
        return tree_.bins()[a].cell < tree_.bins()[b].cell;
    });
    std::vector<Group> groups;
    for (std::uint32_t bin : bins) {
        const std::uint32_t group = tree_.cells()[tree_.bins()[bin].cell].group;
        // Bins of one leaf group are neighbours in breadth-first order.
        if (groups.empty() || groups.back().cell != group) {
            groups.push_back({});
            groups.back().cell = group;
        }
        groups.back().bounds.low += supply_.forced[bin];
        groups.back().bounds.high += supply_.capacity[bin];
        groups.back().bins.push_back(bin);
    }
    if (supply_.mixed) {
        fill_domains(groups, quanta);
    }
    std::vector<ShareBounds> bounds;
    for (Group& group : groups) {
        bounds.push_back(group.bounds);
    }
    const std::vector<std::uint32_t> shares = water_fill(bounds, quanta);
    for (std::size_t i = 0; i < groups.size(); ++i) {
        groups[i].share = shares[i];
    }
    return groups;
}

/// Makes every group take what its chosen NVLink domains have, as far as the job goes.
void Planner::fill_domains(std::vector<Group>& groups, std::uint32_t quanta) const {
    std::uint32_t left = quanta;
    for (const Group& group : groups) {
        left -= std::min(left, group.bounds.low);
    }
    for (Group& group : groups) {
        std::uint32_t in_domains = 0;
        for (std::uint32_t bin : group.bins) {
            in_domains += tree_.bins()[bin].multi_node_domain ? supply_.capacity[bin] : 0;
        }
        const std::uint32_t more =
            std::min(left, in_domains - std::min(in_domains, group.bounds.low));
        group.bounds.low += more;
        left -= more;
    }
}

/// What groups have in common that may change places: siblings that cost and take the same.
struct Planner::Likeness {
    std::uint32_t parent = 0;
    CellKind kind{};
    HopCost weight = 0;
    std::uint32_t share = 0;
    std::optional<HopCost> cost;
    auto operator<=>(const Likeness&) const = default;
};

/// Finds for `count` groups like `first`, siblings, those cells that their share fits best and that
/// are not in `taken` yet, [cell]; none when there are too few.
std::vector<std::uint32_t> Planner::refit_run(const Group& first,
                                              std::size_t count,
                                              std::vector<std::uint8_t>& taken) const {
    const Cell& like = tree_.cells()[first.cell];
    const auto limit = costs_.cost(first.cell, first.share);
    std::vector<Fitted> fitted;
    const Cell& parent = tree_.cells()[like.parent];
    costs_.work().add(kStepsToFit * parent.child_count);
    for (std::uint32_t i = 0; i < parent.child_count; ++i) {
        const std::uint32_t index = parent.first_child + i;
        const Cell& cell = tree_.cells()[index];
        const auto cost = costs_.cost(index, first.share);
        if (cell.kind == like.kind && cell.weight == like.weight && costs_.forced(index) == 0 &&
            cost && *cost <= *limit && taken[index] == 0) {
            fitted.push_back({fit_of_group(index, first.share), index});
        }
    }
    std::vector<std::uint32_t> cells;
    if (fitted.size() < count) {
        return cells;
    }
    best_first(fitted, count);
    for (std::size_t i = 0; i < count; ++i) {
        cells.push_back(fitted[i].item);
        taken[fitted[i].item] = 1;
    }
    return cells;
}

void Planner::refit_siblings(std::vector<Group>& groups) const {
    struct Open {
        Likeness key;
        Group* group;
    };
    std::vector<Open> open;
    for (Group& group : groups) {
        if (costs_.forced(group.cell) == 0 && group.share > 0) {
            const Cell& cell = tree_.cells()[group.cell];
            const auto cost = costs_.cost(group.cell, group.share);
            open.push_back({{cell.parent, cell.kind, cell.weight, group.share, cost}, &group});
        }
    }
    std::stable_sort(
        open.begin(), open.end(), [](const Open& a, const Open& b) { return a.key > b.key; });
    std::vector<std::uint8_t> taken(tree_.cells().size(), 0);
    std::vector<std::uint32_t> refitted;  // [open] cells
    for (std::size_t begin = 0, end = 0; begin < open.size(); begin = end) {
        while (end < open.size() && open[end].key == open[begin].key) {
            ++end;
        }
        const auto cells = refit_run(*open[begin].group, end - begin, taken);
        if (cells.empty()) {
            return;
        }
        refitted.insert(refitted.end(), cells.begin(), cells.end());
    }
    for (std::size_t i = 0; i < open.size(); ++i) {
        open[i].group->cell = refitted[i];
        open[i].group->bins.clear();
    }
}

void Planner::share_out(const Group& group, std::vector<BinShare>& shares) const {
    if (group.share == 0) {
        return;
    }
    if (tree_.cells()[group.cell].kind == CellKind::kBin) {
        shares.push_back({tree_.cells()[group.cell].bin, group.share});
    } else if (costs_.forced(group.cell) > 0) {
        share_over(group.bins, group.share, shares);
    } else {
        pick_bins(group.cell, group.share, shares);
    }
}

Plan Planner::plan_inside(std::uint32_t cell, std::uint32_t quanta) const {
    Plan plan;
    std::vector<Group> groups = selected_groups(cell, quanta);
    costs_.work().add(kStepsToFit * groups.size());
    if (tree_.cells()[cell].kind == CellKind::kUnit ||
        tree_.cells()[cell].kind == CellKind::kJoin) {
        refit_siblings(groups);
    }
    std::uint32_t most = 0;
    std::uint32_t least = std::numeric_limits<std::uint32_t>::max();
    for (const Group& group : groups) {
        share_out(group, plan.shares);
        if (group.share > 0) {
            most = std::max(most, group.share);
            least = std::min(least, group.share);
            plan.fit.add(fit_of_group(group.cell, group.share));
        }
    }
    plan.fit.imbalance = most - std::min(least, most);
    plan.fit.index = cell;
    return plan;
}

Fit Planner::fit_inside(std::uint32_t cell, std::uint32_t quanta) const {
    const CellKind kind = tree_.cells()[cell].kind;
    if (kind == CellKind::kUnit || kind == CellKind::kJoin) {
        return plan_inside(cell, quanta).fit;
    }
    return fit_of_group(cell, quanta);
}

bool Planner::holds_job(std::uint32_t index, bool leaf_only) const {
    const Cell& cell = tree_.cells()[index];
    if (!supply_.by_leaf && costs_.forced(index) != supply_.forced_total) {
        return false;
    }
    const bool bin = cell.kind == CellKind::kBin;
    if (bin && tree_.bins()[cell.bin].loose) {
        return false;  // its leaf group stands for it
    }
    return !leaf_only || tree_.cells()[bin ? cell.group : index].kind == CellKind::kLeaf;
}

std::vector<Plan> Planner::best(std::uint32_t quanta, bool leaf_only) const {
    struct Cheapest {
        HopCost cost = std::numeric_limits<HopCost>::max();
        std::vector<std::uint32_t> cells;
    };
    std::vector<Cheapest> heights(tree_.height() + 1);
    for (std::uint32_t i = 0; i < tree_.cells().size(); ++i) {
        if (costs_.capacity(i) < quanta || !holds_job(i, leaf_only)) {
            continue;
        }
        const HopCost cost = *costs_.cost(i, quanta);
        Cheapest& here = heights[tree_.cells()[i].height];
        if (cost < here.cost) {
            here = {cost, {}};
        }
        if (cost == here.cost) {
            here.cells.push_back(i);
        }
    }
    std::vector<Plan> plans;
    HopCost least = std::numeric_limits<HopCost>::max();
    for (const Cheapest& here : heights) {
        if (here.cost <= least && !here.cells.empty()) {
            least = here.cost;
            plans.push_back(best_of(here.cells, quanta));
        }
    }
    return plans;
}

/// Of cells that cost the same, the plan in the one that it fits best.
Plan Planner::best_of(const std::vector<std::uint32_t>& equals, std::uint32_t quanta) const {
    if (equals.size() == 1) {
        return plan_inside(equals.front(), quanta);
    }
    std::optional<Fitted> best;
    std::uint32_t compared = 0;
    for (std::uint32_t cell : equals) {
        const bool unit = tree_.cells()[cell].kind == CellKind::kUnit;
        if (unit && ++compared > kMaxComparedUnits) {
            continue;
        }
        const Fit fit = fit_inside(cell, quanta);
        if (!best || fit < best->fit) {
            best = Fitted{fit, cell};
        }
    }
    return plan_inside(best->item, quanta);
}

}  // namespace yardmaster
