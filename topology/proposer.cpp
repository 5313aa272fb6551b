#include "topology/proposer.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>

#include "topology/every_set.hpp"

namespace yardmaster {
namespace {

/// Single quanta are moved between bins for jobs of so many quanta, and so often in one call.
constexpr std::uint32_t kMaxMoved = 24;
constexpr int kMaxTries = 40;
/// In clusters of so many nodes with so few bins and so few ways to share the job over them, all
/// are tried; the better ones by a quickly found order are then compared by a better one, and the
/// best few of these by the best.
constexpr std::size_t kFewNodes = 64;
constexpr std::size_t kFewBins = 16;
constexpr std::uint64_t kFewShares = 3000;
constexpr std::size_t kBetterOrdered = 512;
constexpr std::size_t kWellOrdered = 64;
/// Looks at every node of a set that is made and scored.
constexpr std::uint64_t kStepsToScore = 20;
/// What a scheduler waits for at most, so that a call ends within 1, 5 and 50 ms in fabrics of
/// 1,000, 10,000 and 100,000 nodes (bench/placer_bench.cpp).
constexpr std::uint64_t kStepsAtLeast = 40'000;
constexpr std::uint64_t kStepsPerNode = 40;
/// Of bins that look alike only so many are tried.
constexpr std::uint32_t kMaxAlike = 2;
constexpr std::size_t kMaxTakers = 16;

std::uint32_t share_of(const Plan& plan, std::uint32_t bin) {
    for (const BinShare& share : plan.shares) {
        if (share.bin == bin) {
            return share.quanta;
        }
    }
    return 0;
}

void change_share(std::uint32_t bin, std::int64_t by, Plan& plan) {
    for (BinShare& share : plan.shares) {
        if (share.bin == bin) {
            share.quanta = static_cast<std::uint32_t>(share.quanta + by);
            std::erase_if(plan.shares, [](const BinShare& one) { return one.quanta == 0; });
            return;
        }
    }
    plan.shares.push_back({bin, static_cast<std::uint32_t>(by)});
}

/// Steps that a scheduler's call may take in a fabric of so many nodes.
constexpr std::uint64_t steps_allowed(std::uint64_t nodes) {
    return kStepsAtLeast + kStepsPerNode * nodes;
}

const UnitTree& choice_tree(const PlacerTables& tables, const PlacementRequest& request) {
    // Inside one leaf group only the part of a domain that hangs there counts.
    return request.hints.leaf
               ? tables.cut
               : tables.tree_for(quantum_nodes(request.hints, request.gpus_per_node));
}

bool keep_better(Result<Candidate> next, Result<Candidate>& best) {
    if (next && (!best || next->score < best->score)) {
        best = std::move(next);
        return true;
    }
    return false;
}

/// Marks the nodes that are `unwelcome` and need not be taken.
template <typename Unwelcome>
void avoid_where(const std::vector<NodeOffer>& offers,
                 std::vector<std::uint8_t>& avoided,
                 Unwelcome unwelcome) {
    for (std::size_t i = 0; i < offers.size(); ++i) {
        avoided[i] |= !offers[i].required && unwelcome(i) ? 1 : 0;
    }
}

}  // namespace

Proposer::Proposer(const PlacerTables& tables, const PlacementRequest& request)
    : tables_(tables),
      request_(request),
      job_(model_job(
          tables.fabric, request.hints, {request.nodes, request.gpus_per_node}, tables.weights)),
      tree_(choice_tree(tables, request)),
      cut_(tables.cut),
      roster_(tree_, cut_, request, job_.quantum, job_.quanta > 1 ? &tables.rails : nullptr),
      census_(take_census(tables.fabric, tree_, request.offers)),
      cut_census_(&tree_ == &cut_ ? census_ : take_census(tables.fabric, cut_, request.offers)),
      scorer_(tables, request, job_, cut_census_),
      all_bins_(tree_.bins().size()),
      avoided_(request.offers.size(), 0),
      costs_(tree_, work_) {
    std::iota(all_bins_.begin(), all_bins_.end(), 0);
    bool fast = false;
    for (std::uint32_t i = 0; i < request.offers.size(); ++i) {
        const bool usable = request.offers[i].usable || request.offers[i].required;
        slow_nodes_ |= usable && !tables.rails.grade(NodeIndex{i}).perfect();
        fast |= usable && tables.rails.grade(NodeIndex{i}).perfect();
    }
    slow_nodes_ = slow_nodes_ && fast && job_.quanta > 1;
}

Candidate Proposer::candidate(const Plan& plan) {
    Candidate result;
    for (const BinShare& share : plan.shares) {
        std::uint32_t left = share.quanta * roster_.quantum();
        for (NodeIndex node : roster_.nodes(share.bin)) {
            if (left == 0) {
                break;
            }
            if (avoided_[raw(node)] == 0) {
                result.nodes.push_back(node);
                left -= 1;
            }
        }
    }
    std::sort(result.nodes.begin(), result.nodes.end());
    return scored(std::move(result.nodes));
}

Candidate Proposer::scored(std::vector<NodeIndex> nodes) {
    work_.add(nodes.size() * kStepsToScore);
    PlacementScore score = scorer_.score(nodes);
    return {std::move(nodes), std::move(score)};
}

Status Proposer::count() {
    const bool each_leaf = request_.hints.leaf && !roster_.one_class();
    work_.add(request_.offers.size() * (roster_.one_class() ? 1 : each_leaf ? 4 : 3));
    return each_leaf ? count_supply_by_leaf(roster_, avoided_, job_.quanta, supply_)
                     : count_supply(roster_, all_bins_, avoided_, job_.quanta, supply_);
}

/// Blocks matter when the job lies in several units and its blocks can lie in fewer.
bool Proposer::worth_blocks(const Plan& lowest) const {
    const bool one_bin = lowest.shares.size() == 1;
    return !job_.blocks.empty() && !request_.hints.leaf && !one_bin;
}

void Proposer::add_block_plans(std::optional<std::uint32_t> holder, std::vector<Found>& found) {
    const auto known = [&](const Plan& plan) {
        const auto same = [](const BinShare& a, const BinShare& b) {
            return a.bin == b.bin && a.quanta == b.quanta;
        };
        return std::any_of(found.begin(), found.end(), [&](const Found& other) {
            return std::ranges::equal(other.plan.shares, plan.shares, same);
        });
    };
    for (std::uint32_t block : job_.blocks) {
        const std::uint32_t all = BlockSearch::heights_of(tree_);
        if (way_ && way_->block != block) {
            continue;
        }
        BlockSearch search(tree_,
                           census_,
                           supply_,
                           roster_.quantum(),
                           job_.quanta,
                           block,
                           way_ ? way_->height + 1 : all,
                           work_);
        for (std::uint32_t height = way_ ? way_->height : 0;
             height < (way_ ? way_->height + 1 : all);
             ++height) {
            auto plan = search.plan(holder, height);
            if (plan && !known(*plan)) {
                found.push_back({std::move(*plan), {block, height}});
            }
        }
    }
}

std::vector<Proposer::Found> Proposer::plans() {
    std::vector<Found> found;
    if (way_ && way_->block > 0) {
        add_block_plans(std::nullopt, found);
        if (!found.empty()) {
            return found;
        }
    }
    costs_.compute(supply_, job_.quanta);
    const Planner planner(tree_, census_, supply_, costs_, roster_.quantum());
    for (Plan& plan : planner.best(job_.quanta, request_.hints.leaf)) {
        found.push_back({std::move(plan), {}});
    }
    const bool blocks = !way_ || way_->block > 0;
    if (!found.empty() && blocks && worth_blocks(found.front().plan)) {
        add_block_plans(found.back().plan.fit.index, found);
    }
    return found;
}

/// Bins that could take a quantum more: those of the plan first, then one or two of every kind.
std::vector<std::uint32_t> Proposer::takers(const Plan& plan) const {
    std::vector<std::uint32_t> bins;
    for (const BinShare& share : plan.shares) {
        bins.push_back(share.bin);
    }
    std::map<std::array<std::int64_t, 4>, std::uint32_t> alike;
    for (std::uint32_t bin = 0; bin < supply_.capacity.size(); ++bin) {
        if (supply_.capacity[bin] == 0 || share_of(plan, bin) > 0) {
            continue;
        }
        const Cell& cell = tree_.cells()[tree_.bins()[bin].cell];
        const Cell& leaf = tree_.cells()[cell.parent];
        const std::uint32_t most = std::min(supply_.capacity[bin], job_.quanta);
        if (alike[{leaf.parent, leaf.weight, tree_.bins()[bin].inside, most}]++ < kMaxAlike &&
            bins.size() < kMaxTakers) {
            bins.push_back(bin);
        }
    }
    return bins;
}

/// Moves one quantum, or as many as can be, if that makes a better set.
bool Proposer::shift(std::uint32_t from, std::uint32_t to, Plan& plan, Candidate& best) {
    const std::uint32_t share = share_of(plan, from);
    const std::uint32_t room = supply_.capacity[to] - share_of(plan, to);
    const std::uint32_t most = std::min(share - std::min(share, supply_.forced[from]), room);
    for (std::uint32_t moved : most > 1 ? std::vector{1u, most} : std::vector{1u}) {
        if (moved > most || tries_left_ == 0) {
            continue;
        }
        --tries_left_;
        Plan other = plan;
        change_share(from, -static_cast<std::int64_t>(moved), other);
        change_share(to, moved, other);
        Candidate next = candidate(other);
        if (next.score < best.score) {
            plan = std::move(other);
            best = std::move(next);
            return true;
        }
    }
    return false;
}

void Proposer::improve(Plan plan, Candidate& best) {
    for (bool better = true; better && tries_left_ > 0;) {
        better = false;
        const std::vector<BinShare> givers = plan.shares;
        for (std::uint32_t to : takers(plan)) {
            for (const BinShare& from : givers) {
                if (from.bin != to && share_of(plan, from.bin) > 0) {
                    better |= shift(from.bin, to, plan, best);
                }
            }
        }
    }
}

/// Bins that can give quanta: all in one list, or a list for every leaf group that can hold the
/// job.
std::vector<std::vector<std::uint32_t>> Proposer::places() const {
    std::map<std::uint32_t, std::vector<std::uint32_t>> places;
    std::map<std::uint32_t, std::uint32_t> forced;
    for (std::uint32_t bin = 0; bin < supply_.capacity.size(); ++bin) {
        if (supply_.capacity[bin] > 0) {
            const Cell& group = tree_.cells()[tree_.cells()[tree_.bins()[bin].cell].group];
            if (request_.hints.leaf && group.kind != CellKind::kLeaf) {
                continue;
            }
            const std::uint32_t place = request_.hints.leaf ? group.preorder : 0;
            places[place].push_back(bin);
            forced[place] += supply_.forced[bin];
        }
    }
    std::vector<std::vector<std::uint32_t>> result;
    for (auto& [place, bins] : places) {
        if (supply_.by_leaf || forced[place] == supply_.forced_total) {
            result.push_back(std::move(bins));
        }
    }
    return result;
}

/// For small clusters: every set, as far as nodes are alike.
void Proposer::try_all(Candidate& best) {
    tried_.clear();
    SetFinder finder(tables_, roster_, supply_, avoided_);
    for (const std::vector<std::uint32_t>& bins : places()) {
        if (request_.offers.size() > kFewNodes || bins.size() > kFewBins) {
            continue;
        }
        if (auto sets = finder.all(bins, job_.quanta, kFewShares)) {
            for (std::vector<NodeIndex>& set : *sets) {
                tried_.push_back(scored(std::move(set)));
            }
        }
    }
    for (Candidate& one : best_tried(kBetterOrdered)) {
        scorer_.improve_order(one.nodes, one.score);
    }
    for (Candidate& one : best_tried(kWellOrdered)) {
        scorer_.settle_order(one.nodes, one.score);
        if (one.score < best.score) {
            best = std::move(one);
        }
    }
}

/// Of the sets that were tried the best `count`, or all.
std::span<Candidate> Proposer::best_tried(std::size_t count) {
    const std::size_t size = std::min(tried_.size(), count);
    std::partial_sort(tried_.begin(),
                      tried_.begin() + static_cast<std::ptrdiff_t>(size),
                      tried_.end(),
                      [](const Candidate& a, const Candidate& b) {
                          return a.score != b.score ? a.score < b.score : a.nodes < b.nodes;
                      });
    tried_.resize(size);
    return tried_;
}

Result<Candidate> Proposer::find_here() {
    if (Status status = count(); !status) {
        return status;
    }
    Result<Candidate> best(Status(ErrorCode::kUnavailable,
                                  "leaf: no leaf group has " + std::to_string(request_.nodes) +
                                      " free nodes in whole TP groups and all required ones"));
    Plan chosen;
    Way way;
    for (Found& found : plans()) {
        if (!found.plan.shares.empty() && keep_better(candidate(found.plan), best)) {
            chosen = std::move(found.plan);
            way = found.way;
        }
    }
    if (!best) {
        return best;
    }
    const bool small = job_.quanta > 1 && job_.quanta <= kMaxMoved;
    if (thorough_ && small && !request_.hints.leaf && chosen.shares.size() > 1) {
        improve(std::move(chosen), *best);
    }
    scorer_.settle_order(best->nodes, best->score);
    if (thorough_ && small) {
        try_all(*best);
    }
    last_way_ = way;
    return best;
}

/// A slow rail slows all rings of a job, so the nodes without one are tried alone as well.
Result<Candidate> Proposer::find_at_any_speed() {
    Result<Candidate> best = find_here();
    if (!best || !slow_nodes_) {
        return best;
    }
    const std::vector<std::uint8_t> before = avoided_;
    avoid_where(request_.offers, avoided_, [&](std::size_t i) {
        return !tables_.rails.grade(NodeIndex{static_cast<std::uint32_t>(i)}).perfect();
    });
    keep_better(find_here(), best);
    avoided_ = before;
    return best;
}

/// A set without soft-degraded nodes is taken where it is as good in all that stands before them
/// in the score: the mark makes no job wait, split a group or communicate over more hops.
Result<Candidate> Proposer::find_on_sound_nodes() {
    Result<Candidate> best = find_at_any_speed();
    if (!best || best->score.soft_degraded == 0) {
        return best;
    }
    const std::vector<std::uint8_t> before = avoided_;
    avoid_where(
        request_.offers, avoided_, [&](std::size_t i) { return request_.offers[i].soft_degraded; });
    keep_better(find_at_any_speed(), best);
    avoided_ = before;
    return best;
}

/// A hard hint asks for links that are known, so such a job is not laid across separate fabrics.
Result<Candidate> Proposer::find_in_one_fabric() {
    if (Status status = count(); !status) {
        return status;
    }
    const std::vector<std::uint8_t> before = avoided_;
    Result<Candidate> best(Status(ErrorCode::kUnavailable, ""));
    Status missing(ErrorCode::kUnavailable,
                   request_.hints.to_string() + ": no one of the " +
                       std::to_string(tables_.fabrics) + " separate fabrics has " +
                       std::to_string(request_.nodes) + " free nodes for it and all required ones");
    for (std::uint32_t fabric = 0; fabric < tables_.fabrics; ++fabric) {
        bool required_elsewhere = false;
        avoided_ = before;
        for (std::size_t i = 0; i < avoided_.size(); ++i) {
            if (tables_.fabric_of[i] != fabric) {
                avoided_[i] = 1;
                required_elsewhere |= request_.offers[i].required;
            }
        }
        if (!required_elsewhere) {
            keep_better(find_on_sound_nodes(), best);
        }
    }
    avoided_ = before;
    return best ? std::move(best) : Result<Candidate>(missing);
}

Result<Candidate> Proposer::find() {
    const bool apart = tables_.fabrics > 1 && request_.hints.hard() && !request_.hints.leaf;
    return apart ? find_in_one_fabric() : find_on_sound_nodes();
}

/// Avoids the nodes of `used`, those in one group (a cell of cut_) or all, but for required ones.
void Proposer::avoid(const Candidate& used, std::optional<std::uint32_t> group) {
    for (NodeIndex node : used.nodes) {
        const std::uint32_t cell = cut_.bins()[cut_.bin_of(node)].cell;
        const bool there = !group || cut_.cells()[cell].group == *group;
        if (there && !request_.offers[raw(node)].required) {
            avoided_[raw(node)] = 1;
        }
    }
}

/// The first `most` leaf groups that `used` touches, in the order of its nodes.
std::vector<std::uint32_t> Proposer::groups_of(const Candidate& used, std::size_t most) const {
    std::vector<std::uint32_t> groups;
    std::vector<std::uint8_t> seen(cut_.cells().size(), 0);
    for (NodeIndex node : used.nodes) {
        const std::uint32_t group = cut_.cells()[cut_.bins()[cut_.bin_of(node)].cell].group;
        if (seen[group] == 0 && groups.size() < most) {
            seen[group] = 1;
            groups.push_back(group);
        }
    }
    return groups;
}

/// Appends `next` if it exists and is new.
bool Proposer::add(Result<Candidate> next, std::vector<Candidate>& found) const {
    const bool fresh = next && std::none_of(found.begin(), found.end(), [&](const Candidate& old) {
                           return old.nodes == next->nodes;
                       });
    if (fresh) {
        found.push_back(std::move(next).value());
    }
    return fresh;
}

Result<std::vector<Candidate>> Proposer::propose(const PlacementLimits& limits) {
    const auto wanted = std::max<std::size_t>(limits.max_candidates, 1);
    thorough_ = true;
    tries_left_ = kMaxTries;
    auto first = find();
    thorough_ = false;
    way_ = last_way_;
    if (!first) {
        return first.status();
    }
    std::vector<Candidate> found;
    found.push_back(std::move(first).value());
    // The next may take as much work as the largest so far, and a little more.
    std::uint64_t begun = 0;
    std::uint64_t largest = 0;
    const auto more = [&] {
        largest = std::max(largest, work_.steps() - begun);
        begun = work_.steps();
        return found.size() < wanted &&
               (limits.patience == Patience::kPerson ||
                begun + largest * 5 / 4 < steps_allowed(request_.offers.size()));
    };
    do {
        avoid(found.back(), std::nullopt);
    } while (more() && add(find(), found));

    const std::vector<std::uint32_t> groups =
        groups_of(found.front(), std::max<std::size_t>(wanted, 2));
    for (std::size_t i = 0; i < std::min(groups.size(), wanted) && groups.size() > 1 && more();
         ++i) {
        std::fill(avoided_.begin(), avoided_.end(), 0);
        avoid(found.front(), groups[i]);
        add(find(), found);
    }
    return found;
}

}  // namespace yardmaster
