#include "topology/cost_table.hpp"

#include <algorithm>
#include <limits>

namespace yardmaster {
namespace {

constexpr HopCost kNever = std::numeric_limits<HopCost>::max();
/// Looks at every child of a cell whose choices are kept, so that they can be traced back.
constexpr std::uint64_t kStepsToKeep = 4;
/// Lower bounds of the knapsack are worked out for so many of its children at most.
constexpr std::size_t kMostRelaxed = 64;

}  // namespace

bool CostTable::is_floor(std::uint32_t index) const {
    const std::uint32_t height = floor_ != nullptr ? floor_->height : 0;
    const Cell& cell = tree_.cells()[index];
    return cell.height <= height && (index == 0 || tree_.cells()[cell.parent].height > height);
}

void CostTable::compute(const QuantaSupply& supply, std::uint32_t quanta) {
    supply_ = &supply;
    floor_ = nullptr;
    forced_total_ = supply.forced_total;
    whole_job_only_ = !supply.by_leaf;
    top_ = supply.by_leaf ? 1 : UINT32_MAX;
    compute_cells(quanta);
}

void CostTable::open(const QuantaSupply& supply, std::uint32_t quanta) {
    supply_ = &supply;
    floor_ = nullptr;
    forced_total_ = supply.forced_total;
    whole_job_only_ = false;
    reset(quanta);
    done_.assign(tree_.cells().size(), 0);
}

void CostTable::compute_inside(std::uint32_t index) {
    if (done_[index] != 0) {
        return;
    }
    done_[index] = 1;
    const Cell& cell = tree_.cells()[index];
    for (std::uint32_t child = cell.first_child; child < cell.first_child + cell.child_count;
         ++child) {
        compute_inside(child);
        forced_[index] += forced_[child];
    }
    first_[index] = static_cast<std::uint32_t>(pool_.size());
    if (is_floor(index)) {
        compute_floor(index);
    } else {
        scratch_.target = quanta_;
        combine(index, scratch_, nullptr);
        pool_.insert(pool_.end(), scratch_.options.begin(), scratch_.options.end());
    }
    count_[index] = static_cast<std::uint32_t>(pool_.size()) - first_[index];
    work_.add(1);
}

void CostTable::reset(std::uint32_t quanta) {
    quanta_ = quanta;
    pool_.clear();
    first_.assign(tree_.cells().size(), 0);
    count_.assign(tree_.cells().size(), 0);
    forced_.assign(tree_.cells().size(), 0);
}

void CostTable::compute_over(const FloorSupply& supply, std::uint32_t quanta) {
    supply_ = nullptr;
    floor_ = &supply;
    forced_total_ = supply.forced_total;
    whole_job_only_ = true;
    top_ = UINT32_MAX;
    compute_cells(quanta);
}

void CostTable::compute_floor(std::uint32_t index) {
    const bool over = floor_ != nullptr;
    const std::uint32_t bin = tree_.cells()[index].bin;
    forced_[index] = over ? floor_->forced[index] : supply_->forced[bin];
    const std::uint32_t capacity = over ? floor_->capacity[index] : supply_->capacity[bin];
    const std::uint32_t most = std::min(capacity, quanta_);
    if (!over && supply_->mixed && tree_.bins()[bin].loose) {
        for (std::uint32_t quanta = 1; quanta <= most; ++quanta) {
            pool_.push_back({tree_.node_weight() * quanta, quanta});
        }
    } else if (most > 0) {
        pool_.push_back({0, most});
    }
}

void CostTable::compute_cells(std::uint32_t quanta) {
    reset(quanta);
    const std::vector<Cell>& cells = tree_.cells();
    const std::uint32_t height = floor_ != nullptr ? floor_->height : 0;
    work_.add(cells.size());
    scratch_.target = quanta;
    HopCost best = kNever;
    // Children stand after their parents, so backwards is bottom-up.
    for (auto i = static_cast<std::uint32_t>(cells.size()); i-- > 0;) {
        first_[i] = static_cast<std::uint32_t>(pool_.size());
        if (cells[i].height <= height) {
            if (!is_floor(i)) {
                continue;
            }
            compute_floor(i);
        } else if (cells[i].height <= top_ && (!whole_job_only_ || cells[i].height == height + 1 ||
                                               cells[i].least_spread <= best)) {
            scratch_.limit = best;
            combine(i, scratch_, nullptr);
            pool_.insert(pool_.end(), scratch_.options.begin(), scratch_.options.end());
        }
        count_[i] = static_cast<std::uint32_t>(pool_.size()) - first_[i];
        if (whole_job_only_ && quanta > 0 && capacity(i) == quanta && forced_[i] == forced_total_) {
            best = std::min(best, *cost(i, quanta));
        }
        if (i > 0) {
            forced_[cells[i].parent] += forced_[i];
        }
    }
}

std::uint32_t CostTable::capacity(std::uint32_t cell) const {
    return count_[cell] == 0 ? 0 : options(cell).back().quanta;
}

std::optional<HopCost> CostTable::cost(std::uint32_t cell, std::uint32_t quanta) const {
    const auto all = options(cell);
    const auto at = std::lower_bound(
        all.begin(), all.end(), quanta, [](const CostOption& option, std::uint32_t least) {
            return option.quanta < least;
        });
    return at == all.end() ? std::nullopt : std::optional(at->cost);
}

/// The cheaper of two lists at every number of quanta; more than the job needs is of no use.
void CostTable::merge(const Options& a, const Options& b, bool exact, Options& out) const {
    out.clear();
    work_.add(a.size() + b.size());
    std::size_t i = 0;
    std::size_t j = 0;
    while ((i < a.size() || j < b.size()) && (out.empty() || out.back().quanta < quanta_)) {
        const bool from_a = j == b.size() || (i < a.size() && a[i].cost <= b[j].cost);
        const CostOption next = from_a ? a[i++] : b[j++];
        if (out.empty() || next.quanta > out.back().quanta) {
            if (!out.empty() && next.cost == out.back().cost) {
                out.pop_back();
            }
            out.push_back(next);
        }
    }
    if (out.size() > kMaxOptions && !exact) {
        std::size_t kept = 0;
        for (std::size_t k = (out.size() + 1) % 2; k < out.size(); k += 2) {
            out[kept++] = out[k];
        }
        out.resize(kept);
    }
}

/// scratch.options becomes: as before, or with one of scratch.choices on top; no hopeless ones.
void CostTable::merge_choices(Scratch& scratch) const {
    scratch.before = scratch.options;
    std::erase_if(scratch.options,
                  [&](const CostOption& option) { return hopeless(option, scratch); });
    for (const CostOption& choice : scratch.choices) {
        scratch.shifted.clear();
        for (const CostOption& option : scratch.before) {
            const std::uint64_t sum = std::uint64_t{option.quanta} + choice.quanta;
            const CostOption both{
                option.cost + choice.cost,
                static_cast<std::uint32_t>(std::min<std::uint64_t>(sum, quanta_))};
            if (!hopeless(both, scratch)) {
                scratch.shifted.push_back(both);
            }
        }
        merge(scratch.options, scratch.shifted, scratch.exact, scratch.merged);
        std::swap(scratch.options, scratch.merged);
    }
}

void CostTable::take_child(std::uint32_t child, Scratch& scratch, std::vector<Step>* steps) const {
    scratch.choices.clear();
    for (const CostOption& option : options(child)) {
        scratch.choices.push_back({option.cost + tree_.cells()[child].weight, option.quanta});
    }
    if (steps != nullptr) {
        steps->push_back({scratch.options, scratch.choices, {child}, false});
    }
    merge_choices(scratch);
}

void CostTable::take_forced(std::uint32_t child, Scratch& scratch, std::vector<Step>* steps) const {
    const Options before = scratch.options;
    take_child(child, scratch, steps);
    // Not taking it is no choice: merge anew without what was there before.
    scratch.options.clear();
    const Options choices = scratch.choices;
    for (const CostOption& option : before) {
        scratch.shifted.clear();
        for (const CostOption& choice : choices) {
            const std::uint64_t sum = std::uint64_t{option.quanta} + choice.quanta;
            scratch.shifted.push_back(
                {option.cost + choice.cost,
                 static_cast<std::uint32_t>(std::min<std::uint64_t>(sum, quanta_))});
        }
        merge(scratch.options, scratch.shifted, scratch.exact, scratch.merged);
        std::swap(scratch.options, scratch.merged);
    }
}

/// Of children that cost the same the largest are taken first, so their choices are prefixes.
void CostTable::take_singles(Scratch& scratch, std::vector<Step>* steps) const {
    std::vector<Single>& singles = scratch.singles;
    std::sort(singles.begin(), singles.end(), [](const Single& a, const Single& b) {
        return a.cost != b.cost       ? a.cost < b.cost
               : a.quanta != b.quanta ? a.quanta > b.quanta
                                      : a.child < b.child;
    });
    for (std::size_t begin = 0, end = 0; begin < singles.size(); begin = end) {
        scratch.choices.clear();
        std::vector<std::uint32_t> children;
        CostOption sum;
        for (; end < singles.size() && singles[end].cost == singles[begin].cost; ++end) {
            if (sum.quanta >= quanta_) {
                continue;
            }
            sum.cost += singles[end].cost;
            sum.quanta = static_cast<std::uint32_t>(
                std::min<std::uint64_t>(quanta_, std::uint64_t{sum.quanta} + singles[end].quanta));
            scratch.choices.push_back(sum);
            if (steps != nullptr) {
                children.push_back(singles[end].child);
            }
        }
        if (steps != nullptr) {
            steps->push_back({scratch.options, scratch.choices, children, true});
        }
        if (scratch.options.size() == 1 && scratch.options.front() == CostOption{}) {
            merge(scratch.options, scratch.choices, scratch.exact, scratch.merged);
            std::swap(scratch.options, scratch.merged);
        } else {
            merge_choices(scratch);
        }
    }
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
    const std::vector<std::uint32_t>& many = scratch.many;
    scratch.rests.assign(many.size() + 1, {});
    for (std::size_t i = many.size(); i-- > 0;) {
        Rest rest = scratch.rests[i + 1];
        const HopCost weight = tree_.cells()[many[i]].weight;
        const bool first = rest.capacity == 0;
        rest.least_weight = first ? weight : std::min(rest.least_weight, weight);
        rest.capacity = std::max(rest.capacity, capacity(many[i]));
        for (const CostOption& option : options(many[i])) {
            const double each = static_cast<double>(option.cost) / option.quanta;
            rest.cost_per_quantum = first && &option == options(many[i]).data()
                                        ? each
                                        : std::min(rest.cost_per_quantum, each);
        }
        work_.add(options(many[i]).size());
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

namespace {

/// A straight piece of the lower hull of a child's options.
struct HullStep {
    double cost_each = 0;
    double cost = 0;
    std::uint32_t quanta = 0;
    std::uint32_t child = 0;
};

void add_hull(std::span<const CostOption> options,
              HopCost weight,
              std::uint32_t child,
              std::vector<HullStep>& steps) {
    const std::size_t first = steps.size();
    CostOption last{-weight, 0};
    for (const CostOption& option : options) {
        HullStep step{
            0, static_cast<double>(option.cost - last.cost), option.quanta - last.quanta, child};
        step.cost_each = step.cost / step.quanta;
        while (steps.size() > first && steps.back().cost_each >= step.cost_each) {
            step.cost += steps.back().cost;
            step.quanta += steps.back().quanta;
            step.cost_each = step.cost / step.quanta;
            steps.pop_back();
        }
        steps.push_back(step);
        last = option;
    }
}

}  // namespace

/// Fills scratch.relaxed, for every so many children, and returns how many that is.
std::size_t CostTable::set_relaxed(Scratch& scratch) const {
    const std::vector<std::uint32_t>& many = scratch.many;
    const std::size_t stride = many.size() / kMostRelaxed + 1;
    std::vector<HullStep> steps;
    for (std::uint32_t i = 0; i < many.size(); ++i) {
        add_hull(options(many[i]), tree_.cells()[many[i]].weight, i, steps);
    }
    std::sort(steps.begin(), steps.end(), [](const HullStep& a, const HullStep& b) {
        return a.cost_each != b.cost_each ? a.cost_each < b.cost_each : a.child < b.child;
    });
    scratch.relaxed.resize(many.size() / stride + 1);
    for (std::size_t i = 0; i < scratch.relaxed.size(); ++i) {
        Relaxed& relaxed = scratch.relaxed[i];
        relaxed.quanta.assign(1, 0);
        relaxed.cost.assign(1, 0);
        for (const HullStep& step : steps) {
            if (step.child >= i * stride && relaxed.quanta.back() < scratch.target) {
                relaxed.quanta.push_back(relaxed.quanta.back() + step.quanta);
                relaxed.cost.push_back(relaxed.cost.back() + step.cost);
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

void CostTable::combine(std::uint32_t index, Scratch& scratch, std::vector<Step>* steps) const {
    const Cell& cell = tree_.cells()[index];
    if (cell.child_count == 1 && tree_.cells()[cell.first_child].weight == 0 && steps == nullptr) {
        const auto same = options(cell.first_child);
        scratch.options.assign(same.begin(), same.end());
        return;
    }
    work_.add(steps != nullptr ? kStepsToKeep * cell.child_count : cell.child_count);
    scratch.options.assign(1, CostOption{});
    scratch.bounded = false;
    scratch.singles.clear();
    scratch.many.clear();
    for (std::uint32_t i = 0; i < cell.child_count; ++i) {
        const std::uint32_t child = cell.first_child + i;
        const auto choices = options(child);
        if (choices.empty()) {
            continue;
        }
        if (forced_[child] > 0) {
            take_forced(child, scratch, steps);
        } else if (choices.size() == 1) {
            scratch.singles.push_back(
                {choices[0].cost + tree_.cells()[child].weight, choices[0].quanta, child});
        } else {
            scratch.many.push_back(child);
        }
    }
    take_singles(scratch, steps);
    // Large ones first: bounds are then close, and what follows changes little.
    std::stable_sort(scratch.many.begin(), scratch.many.end(), [&](auto a, auto b) {
        return capacity(a) > capacity(b);
    });
    scratch.bounded = steps != nullptr ? forced_[index] == 0 : worth_bounding(index, scratch);
    std::size_t stride = 1;
    if (scratch.bounded) {
        set_rests(scratch);
        stride = set_relaxed(scratch);
    }
    for (std::size_t i = 0; i < scratch.many.size(); ++i) {
        if (scratch.bounded) {
            scratch.rest = scratch.rests[i + 1];
            scratch.ahead = &scratch.relaxed[(i + 1) / stride];
        }
        take_child(scratch.many[i], scratch, steps);
    }
    // Taking nothing is the parent's choice to make.
    if (!scratch.options.empty() && scratch.options.front().quanta == 0) {
        scratch.options.erase(scratch.options.begin());
    }
}

void CostTable::take(const Step& step, std::size_t choice, std::vector<std::uint32_t>& bins) const {
    if (!step.prefix) {
        const std::uint32_t child = step.children.front();
        select(child, options(child)[choice].quanta, bins);
        return;
    }
    for (std::size_t i = 0; i <= choice; ++i) {
        select(step.children[i], options(step.children[i]).front().quanta, bins);
    }
}

void CostTable::unwind(const std::vector<Step>& steps,
                       CostOption target,
                       std::vector<std::uint32_t>& bins) const {
    for (auto step = steps.rbegin(); step != steps.rend(); ++step) {
        const auto& before = step->before;
        const bool mandatory = !step->prefix && forced_[step->children.front()] > 0;
        if (!mandatory && std::find(before.begin(), before.end(), target) != before.end()) {
            continue;
        }
        for (std::size_t i = 0; i < step->choices.size(); ++i) {
            const CostOption& choice = step->choices[i];
            const auto from =
                std::find_if(before.begin(), before.end(), [&](const CostOption& option) {
                    return option.cost + choice.cost == target.cost &&
                           std::min<std::uint64_t>(quanta_,
                                                   std::uint64_t{option.quanta} + choice.quanta) ==
                               target.quanta;
                });
            if (from != before.end()) {
                take(*step, i, bins);
                target = *from;
                break;
            }
        }
    }
}

void CostTable::select(std::uint32_t index,
                       std::uint32_t quanta,
                       std::vector<std::uint32_t>& bins) const {
    if (is_floor(index)) {
        bins.push_back(floor_ != nullptr ? index : tree_.cells()[index].bin);
        return;
    }
    Scratch scratch;
    scratch.target = quanta;
    scratch.limit = cost(index, quanta).value_or(kNever);
    if (!select_from(index, quanta, scratch, bins)) {
        // Lists thinned under other bounds than the table's had not the option that it found.
        scratch.exact = true;
        select_from(index, quanta, scratch, bins);
    }
}

bool CostTable::select_from(std::uint32_t index,
                            std::uint32_t quanta,
                            Scratch& scratch,
                            std::vector<std::uint32_t>& bins) const {
    std::vector<Step> steps;
    combine(index, scratch, &steps);
    for (const CostOption& option : scratch.options) {
        if (option.quanta >= quanta) {
            unwind(steps, option, bins);
            return true;
        }
    }
    return false;
}

}  // namespace yardmaster
