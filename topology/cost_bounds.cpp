// Bounds that keep the knapsack of cost_table.cpp small: what cannot be part of a choice within the
// limit is not looked at.
#include <algorithm>
#include <cmath>
#include <limits>

#include "topology/cost_table.hpp"

namespace yardmaster {
namespace {

constexpr HopCost kNever = std::numeric_limits<HopCost>::max();
/// Lower bounds of the knapsack are worked out for so many of its children at most.
constexpr std::size_t kMostRelaxed = 64;

/// A straight piece of the lower hull of a child's options.
struct HullStep {
    double cost_each = 0;
    HopCost cost = 0;
    std::uint32_t quanta = 0;
    std::uint32_t child = 0;
};

/// Nothing at no cost is an option too.
void add_hull(std::span<const CostOption> options,
              std::uint32_t child,
              std::vector<HullStep>& steps) {
    const std::size_t first = steps.size();
    CostOption last;
    for (const CostOption& option : options) {
        HullStep step{0, option.cost - last.cost, option.quanta - last.quanta, child};
        last = option;
        if (step.quanta == 0) {
            continue;
        }
        step.cost_each = static_cast<double>(step.cost) / step.quanta;
        while (steps.size() > first && steps.back().cost_each >= step.cost_each) {
            step.cost += steps.back().cost;
            step.quanta += steps.back().quanta;
            step.cost_each = static_cast<double>(step.cost) / step.quanta;
            steps.pop_back();
        }
        steps.push_back(step);
    }
}

void sort_by_price(std::vector<HullStep>& steps) {
    std::sort(steps.begin(), steps.end(), [](const HullStep& a, const HullStep& b) {
        return a.cost_each != b.cost_each ? a.cost_each < b.cost_each : a.child < b.child;
    });
}

/// What it costs to add so many quanta to a choice by changing one child of it, or two.
class Repairs {
  public:
    explicit Repairs(std::uint32_t missing)
        : missing_(missing), reach_(missing + kReach), changes_(2 * reach_ + 1) {
        add(0, 0, kNobody);
    }

    /// `taken` is what the choice has of `child` now.
    void add(std::uint32_t child, const CostOption& taken, std::span<const CostOption> options) {
        add(-std::int64_t{taken.quanta}, -taken.cost, child);
        for (const CostOption& option : options) {
            add(std::int64_t{option.quanta} - taken.quanta, option.cost - taken.cost, child);
        }
    }

    HopCost least() const {
        HopCost least = kNever;
        Best from;  // of changes by at least `missing_ - by`
        std::int64_t low = reach_ + 1;
        for (std::int64_t by = -reach_; by <= reach_; ++by) {
            for (; low > std::max<std::int64_t>(missing_ - by, -reach_); --low) {
                from.add(changes_[place(low - 1)]);
            }
            least = std::min(least, changes_[place(by)].with(from));
        }
        return least;
    }

  private:
    static constexpr std::int64_t kReach = 256;
    static constexpr std::uint32_t kNobody = UINT32_MAX;
    /// The two cheapest changes, of different children.
    struct Best {
        HopCost cost = kNever, second_cost = kNever;
        std::uint32_t child = kNobody, second_child = kNobody;

        void add(HopCost new_cost, std::uint32_t new_child) {
            if (new_cost < cost) {
                if (new_child != child) {
                    second_cost = cost;
                    second_child = child;
                }
                cost = new_cost;
                child = new_child;
            } else if (new_cost < second_cost && new_child != child) {
                second_cost = new_cost;
                second_child = new_child;
            }
        }
        void add(const Best& other) {
            for (const auto& [its_cost, its_child] :
                 {std::pair(other.cost, other.child),
                  std::pair(other.second_cost, other.second_child)}) {
                if (its_cost != kNever) {
                    add(its_cost, its_child);
                }
            }
        }
        /// The least cost of one of these and one of `other`, of different children.
        HopCost with(const Best& other) const {
            HopCost least = kNever;
            for (const auto& [a, of_a] : {std::pair(cost, child), {second_cost, second_child}}) {
                for (const auto& [b, of_b] : {std::pair(other.cost, other.child),
                                              {other.second_cost, other.second_child}}) {
                    if (a != kNever && b != kNever && (of_a != of_b || of_a == kNobody)) {
                        least = std::min(least, a + b);
                    }
                }
            }
            return least;
        }
    };

    std::size_t place(std::int64_t quanta) const {
        return static_cast<std::size_t>(quanta + reach_);
    }
    void add(std::int64_t quanta, HopCost cost, std::uint32_t child) {
        if (quanta >= -reach_) {
            changes_[place(std::min(quanta, reach_))].add(cost, child);
        }
    }

    const std::int64_t missing_;
    const std::int64_t reach_;
    std::vector<Best> changes_;  // [quanta + reach_]
};

}  // namespace

void CostTable::set_parts(Scratch& scratch) const {
    scratch.parts.clear();
    scratch.kept.clear();
    for (const std::uint32_t child : scratch.many) {
        const auto all = options(child);
        scratch.parts.push_back({child,
                                 static_cast<std::uint32_t>(scratch.kept.size()),
                                 static_cast<std::uint32_t>(all.size()),
                                 false});
        for (const CostOption& option : all) {
            scratch.kept.push_back({option.cost + tree_.cells()[child].weight, option.quanta});
        }
    }
}

/// Takes what is cheapest by the quantum until the next piece would be enough, and lowers the limit
/// to what this costs with one or two children changed to make it whole.
std::optional<double> CostTable::find_break(Scratch& scratch) const {
    const auto base = static_cast<std::uint32_t>(scratch.parts.size());
    const auto options_of = [&](std::uint32_t at) {
        return at == base ? std::span<const CostOption>(scratch.options)
                          : choices(scratch.parts[at], scratch);
    };
    std::vector<HullStep> steps;
    for (std::uint32_t i = 0; i <= base; ++i) {
        add_hull(options_of(i), i, steps);
    }
    sort_by_price(steps);
    work_.add(2 * steps.size());
    std::vector<CostOption> taken(base + 1);
    CostOption sum;
    for (const HullStep& step : steps) {
        if (sum.quanta + step.quanta < scratch.target) {
            for (CostOption* one : {&taken[step.child], &sum}) {
                one->cost += step.cost;
                one->quanta += step.quanta;
            }
            continue;
        }
        Repairs repairs(scratch.target - sum.quanta);
        for (std::uint32_t i = 0; i <= base; ++i) {
            repairs.add(i, taken[i], options_of(i));
        }
        if (const HopCost more = repairs.least(); more != kNever) {
            scratch.limit = std::min(scratch.limit, sum.cost + more);
        }
        return step.cost_each;
    }
    return std::nullopt;
}

/// Every quantum is worth the break price; each child then has a best choice of its own, and what
/// all of these come to is a lower bound of the whole (Lagrange). A choice that is worse than its
/// child's best by more than the limit leaves above that bound is in no choice within the limit.
/// Children with one choice left are taken here and are parts no more.
void CostTable::drop_dear_choices(Scratch& scratch, std::vector<Step>* steps) const {
    const auto found = find_break(scratch);
    if (!found) {
        return;
    }
    const double price = *found;
    const auto loss = [price](const CostOption& option) {
        return static_cast<double>(option.cost) - price * option.quanta;
    };
    const auto least_loss = [&](std::span<const CostOption> all, double least) {
        for (const CostOption& option : all) {
            least = std::min(least, loss(option));
        }
        return least;
    };
    double bound = price * scratch.target +
                   least_loss(scratch.options, std::numeric_limits<double>::infinity());
    for (const Part& part : scratch.parts) {
        bound += least_loss(choices(part, scratch), 0);
    }
    // One unit of cost (1/1024 hop), and a part in 10^9, of play for rounding.
    const double play = static_cast<double>(scratch.limit) - bound + 1 + std::abs(bound) * 1e-9;
    std::size_t parts = 0;
    for (Part part : scratch.parts) {
        const double least = least_loss(choices(part, scratch), 0);
        const auto begin = scratch.kept.begin() + part.first;
        const auto end = std::remove_if(begin, begin + part.count, [&](const CostOption& option) {
            return loss(option) - least > play;
        });
        part.count = static_cast<std::uint32_t>(end - begin);
        part.must = -least > play;
        if (part.must && part.count == 1) {
            take_fixed(part, scratch, steps);
        } else if (part.count > 0) {
            scratch.parts[parts++] = part;
        }
    }
    scratch.parts.resize(parts);
}

/// Whether `cell` can hold the whole job and nothing above it can do better, for then no other
/// number of quanta will be asked of it. Sets the limit to what a quick choice costs.
bool CostTable::worth_bounding(std::uint32_t index, Scratch& scratch) const {
    const Cell& cell = tree_.cells()[index];
    if (!whole_job_only_ || scratch.many.size() < 4 || forced_[index] > 0 || forced_total_ > 0) {
        return false;
    }
    const HopCost greedy = greedy_cost(scratch.many);
    if (greedy == kNever || (index > 0 && tree_.cells()[cell.parent].least_spread <= greedy)) {
        return false;
    }
    scratch.limit = std::min(scratch.limit, greedy);
    return true;
}

/// Of the job in the first of `many`, whole as long as they are too small for what is left, and
/// then in whichever later one has that for least; kNever: they are too small.
HopCost CostTable::greedy_cost(const std::vector<std::uint32_t>& many) const {
    HopCost sum = 0;
    std::uint32_t left = quanta_;
    for (std::size_t i = 0; i < many.size(); ++i) {
        if (capacity(many[i]) < left) {
            sum += options(many[i]).back().cost + tree_.cells()[many[i]].weight;
            left -= capacity(many[i]);
            continue;
        }
        HopCost last = kNever;
        for (; i < many.size() && capacity(many[i]) >= left; ++i) {
            last = std::min(last, *cost(many[i], left) + tree_.cells()[many[i]].weight);
        }
        return sum + last;
    }
    return kNever;
}

void CostTable::set_rests(Scratch& scratch) const {
    const std::vector<Part>& parts = scratch.parts;
    scratch.rests.assign(parts.size() + 1, {});
    for (std::size_t i = parts.size(); i-- > 0;) {
        Rest rest = scratch.rests[i + 1];
        const HopCost weight = tree_.cells()[parts[i].child].weight;
        const auto all = choices(parts[i], scratch);
        const bool first = rest.capacity == 0;
        rest.least_weight = first ? weight : std::min(rest.least_weight, weight);
        rest.capacity = std::max(rest.capacity, all.back().quanta);
        for (const CostOption& choice : all) {
            const double each = static_cast<double>(choice.cost - weight) / choice.quanta;
            rest.cost_per_quantum =
                first && &choice == all.data() ? each : std::min(rest.cost_per_quantum, each);
        }
        work_.add(all.size());
        scratch.rests[i] = rest;
    }
}

double CostTable::Relaxed::operator()(std::uint32_t wanted) const {
    const auto at = std::lower_bound(quanta.begin(), quanta.end(), wanted);
    if (at == quanta.end()) {
        return std::numeric_limits<double>::infinity();
    }
    const auto i = static_cast<std::size_t>(at - quanta.begin());
    if (i == 0) {
        return 0;
    }
    const double part = static_cast<double>(wanted - quanta[i - 1]) / (quanta[i] - quanta[i - 1]);
    return cost[i - 1] + (cost[i] - cost[i - 1]) * part;
}

/// Fills scratch.relaxed, for every so many children, and returns how many that is.
std::size_t CostTable::set_relaxed(Scratch& scratch) const {
    const std::vector<Part>& parts = scratch.parts;
    const std::size_t stride = parts.size() / kMostRelaxed + 1;
    std::vector<HullStep> steps;
    for (std::uint32_t i = 0; i < parts.size(); ++i) {
        add_hull(choices(parts[i], scratch), i, steps);
    }
    sort_by_price(steps);
    scratch.relaxed.resize(parts.size() / stride + 1);
    for (std::size_t i = 0; i < scratch.relaxed.size(); ++i) {
        Relaxed& relaxed = scratch.relaxed[i];
        relaxed.quanta.assign(1, 0);
        relaxed.cost.assign(1, 0);
        for (const HullStep& step : steps) {
            if (step.child >= i * stride && relaxed.quanta.back() < scratch.target) {
                relaxed.quanta.push_back(relaxed.quanta.back() + step.quanta);
                relaxed.cost.push_back(relaxed.cost.back() + static_cast<double>(step.cost));
            }
        }
        work_.add(steps.size());
    }
    return stride;
}

/// Whether `option` cannot be completed within scratch.limit, however well the remaining children
/// are used: what is missing takes so many of them, and so much in each.
bool CostTable::hopeless(const CostOption& option, const Scratch& scratch) const {
    if (!scratch.bounded) {
        return false;
    }
    const HopCost slack = scratch.limit - option.cost;
    if (slack < 0 || option.quanta >= scratch.target) {
        return slack < 0;
    }
    const std::uint32_t missing = scratch.target - option.quanta;
    const Rest& rest = scratch.rest;
    if (rest.capacity == 0) {
        return true;
    }
    // One unit of cost (1/1024 hop) of play for rounding.
    const auto play = static_cast<double>(slack + 1);
    const HopCost fixed = (missing + rest.capacity - 1) / rest.capacity * rest.least_weight;
    return static_cast<double>(fixed) + missing * rest.cost_per_quantum > play ||
           (*scratch.ahead)(missing) > play;
}

}  // namespace yardmaster
