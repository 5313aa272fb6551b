#include "topology/cost_table.hpp"

#include <algorithm>
#include <limits>

namespace yardmaster {
namespace {

constexpr HopCost kNever = std::numeric_limits<HopCost>::max();
/// Looks at every child of a cell whose choices are kept, so that they can be traced back.
constexpr std::uint64_t kStepsToKeep = 4;

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

/// scratch.options becomes the cheaper of two lists at every number of quanta; more than the job
/// needs is of no use. `a` may be scratch.options.
void CostTable::merge(const Options& a, const Options& b, Scratch& scratch) const {
    Options& out = scratch.merged;
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
    if (out.size() > (scratch.bounded ? kMaxBounded : kMaxOptions) && !scratch.exact) {
        scratch.thinned = true;
        std::size_t kept = 0;
        for (std::size_t k = (out.size() + 1) % 2; k < out.size(); k += 2) {
            out[kept++] = out[k];
        }
        out.resize(kept);
    }
    std::swap(scratch.options, scratch.merged);
}

/// scratch.options becomes: as before (not with `must`), or with one of scratch.choices on top; no
/// hopeless ones.
void CostTable::merge_choices(bool must, Scratch& scratch) const {
    scratch.before = scratch.options;
    std::erase_if(scratch.options,
                  [&](const CostOption& option) { return must || hopeless(option, scratch); });
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
        merge(scratch.options, scratch.shifted, scratch);
    }
}

void CostTable::take_part(const Part& part, Scratch& scratch, std::vector<Step>* steps) const {
    const auto all = choices(part, scratch);
    scratch.choices.assign(all.begin(), all.end());
    if (steps != nullptr) {
        steps->push_back({scratch.options, scratch.choices, {part.child}, false, part.must});
    }
    merge_choices(part.must, scratch);
}

/// The same where there is nothing to choose.
void CostTable::take_fixed(const Part& part, Scratch& scratch, std::vector<Step>* steps) const {
    const CostOption choice = choices(part, scratch).front();
    if (steps != nullptr) {
        steps->push_back({scratch.options, {choice}, {part.child}, false, true});
    }
    work_.add(scratch.options.size());
    std::size_t kept = 0;
    for (CostOption& option : scratch.options) {
        const std::uint64_t sum = std::uint64_t{option.quanta} + choice.quanta;
        if (kept > 0 && scratch.options[kept - 1].quanta == quanta_) {
            break;  // more than the job needs, and dearer
        }
        scratch.options[kept++] = {
            option.cost + choice.cost,
            static_cast<std::uint32_t>(std::min<std::uint64_t>(sum, quanta_))};
    }
    scratch.options.resize(kept);
}

void CostTable::take_forced(std::uint32_t child, Scratch& scratch, std::vector<Step>* steps) const {
    const Options before = scratch.options;
    Options choices;
    for (const CostOption& option : options(child)) {
        choices.push_back({option.cost + tree_.cells()[child].weight, option.quanta});
    }
    if (steps != nullptr) {
        steps->push_back({before, choices, {child}, false, true});
    }
    scratch.options.clear();
    for (const CostOption& option : before) {
        scratch.shifted.clear();
        for (const CostOption& choice : choices) {
            const std::uint64_t sum = std::uint64_t{option.quanta} + choice.quanta;
            scratch.shifted.push_back(
                {option.cost + choice.cost,
                 static_cast<std::uint32_t>(std::min<std::uint64_t>(sum, quanta_))});
        }
        merge(scratch.options, scratch.shifted, scratch);
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
            steps->push_back({scratch.options, scratch.choices, children, true, false});
        }
        if (scratch.options.size() == 1 && scratch.options.front() == CostOption{}) {
            merge(scratch.options, scratch.choices, scratch);
        } else {
            merge_choices(false, scratch);
        }
    }
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
    scratch.bounded = scratch.thinned = false;
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
    scratch.bounded =
        scratch.bounds && (steps != nullptr ? forced_[index] == 0 : worth_bounding(index, scratch));
    set_parts(scratch);
    std::size_t stride = 1;
    if (scratch.bounded) {
        drop_dear_choices(scratch, steps);
        set_rests(scratch);
        stride = set_relaxed(scratch);
    }
    for (std::size_t i = 0; i < scratch.parts.size(); ++i) {
        if (scratch.bounded) {
            scratch.rest = scratch.rests[i + 1];
            scratch.ahead = &scratch.relaxed[(i + 1) / stride];
        }
        take_part(scratch.parts[i], scratch, steps);
    }
    if (scratch.options.empty() && scratch.bounded && scratch.thinned && steps == nullptr) {
        // What was within the limit has been thinned out.
        scratch.bounds = false;
        combine(index, scratch, steps);
        scratch.bounds = true;
        return;
    }
    // Taking nothing is the parent's choice to make.
    if (!scratch.options.empty() && scratch.options.front().quanta == 0) {
        scratch.options.erase(scratch.options.begin());
    }
}

void CostTable::take(const Step& step, std::size_t choice, std::vector<std::uint32_t>& bins) const {
    if (!step.prefix) {
        const std::uint32_t child = step.children.front();
        select(child, step.choices[choice].quanta, bins);
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
        if (!step->must && std::find(before.begin(), before.end(), target) != before.end()) {
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
    if (select_largest(index, quanta, bins)) {
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

/// Of children that cost the same and have one option each, the largest; false: others are there.
bool CostTable::select_largest(std::uint32_t index,
                               std::uint32_t quanta,
                               std::vector<std::uint32_t>& bins) const {
    const Cell& cell = tree_.cells()[index];
    std::vector<Single> singles;
    for (std::uint32_t child = cell.first_child; child < cell.first_child + cell.child_count;
         ++child) {
        const auto all = options(child);
        if (all.empty()) {
            continue;
        }
        singles.push_back({all[0].cost + tree_.cells()[child].weight, all[0].quanta, child});
        if (all.size() > 1 || forced_[child] > 0 || singles.back().cost != singles[0].cost) {
            return false;
        }
    }
    work_.add(cell.child_count);
    std::sort(singles.begin(), singles.end(), [](const Single& a, const Single& b) {
        return a.quanta != b.quanta ? a.quanta > b.quanta : a.child < b.child;
    });
    for (std::size_t i = 0; i < singles.size() && quanta > 0; ++i) {
        select(singles[i].child, singles[i].quanta, bins);
        quanta -= std::min(quanta, singles[i].quanta);
    }
    return true;
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
