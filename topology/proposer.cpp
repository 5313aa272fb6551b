#include "topology/proposer.hpp"

#include <algorithm>
#include <numeric>

namespace yardmaster {
namespace {

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

}  // namespace

Proposer::Proposer(const PlacerTables& tables, const PlacementRequest& request)
    : tables_(tables),
      request_(request),
      job_(model_job(tables.fabric,
                     request.hints,
                     {request.nodes, request.gpus_per_node},
                     tables.weights)),
      tree_(choice_tree(tables, request)),
      cut_(tables.cut),
      roster_(tree_, request, job_.quantum, job_.quanta > 1 ? &tables.slowness : nullptr),
      census_(take_census(tables.fabric, tree_, request.offers)),
      cut_census_(&tree_ == &cut_ ? census_ : take_census(tables.fabric, cut_, request.offers)),
      scorer_(tables, request, job_, cut_census_),
      all_bins_(tree_.bins().size()),
      avoided_(request.offers.size(), 0),
      costs_(tree_) {
    std::iota(all_bins_.begin(), all_bins_.end(), 0);
    bool fast = false;
    for (std::size_t i = 0; i < request.offers.size(); ++i) {
        const bool usable = request.offers[i].usable || request.offers[i].required;
        slow_nodes_ |= usable && tables.slowness[i] > kFullSpeed;
        fast |= usable && tables.slowness[i] <= kFullSpeed;
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
    result.score = scorer_.score(result.nodes);
    return result;
}

Status Proposer::count() {
    const bool each_leaf = request_.hints.leaf && !roster_.one_class();
    return each_leaf ? count_supply_by_leaf(roster_, avoided_, job_.quanta, supply_)
                     : count_supply(roster_, all_bins_, avoided_, job_.quanta, supply_);
}

/// Blocks matter when the job lies in several units and its blocks can lie in fewer.
bool Proposer::worth_blocks(const std::vector<Plan>& plans) const {
    const Cell& lowest = tree_.cells()[plans.front().fit.index];
    const bool one_bin = lowest.kind == CellKind::kBin || plans.front().shares.size() == 1;
    return !job_.blocks.empty() && !request_.hints.leaf && !one_bin;
}

std::vector<Plan> Proposer::plans() {
    costs_.compute(supply_, job_.quanta);
    const Planner planner(tree_, census_, supply_, costs_, roster_.quantum());
    std::vector<Plan> plans = planner.best(job_.quanta, request_.hints.leaf);
    if (plans.empty() || !worth_blocks(plans)) {
        return plans;
    }
    const std::uint32_t holder = plans.back().fit.index;
    for (std::uint32_t block : job_.blocks) {
        BlockSearch search(tree_, census_, supply_, roster_.quantum(), job_.quanta, block);
        for (Plan& plan : search.plans(holder)) {
            plans.push_back(std::move(plan));
        }
    }
    return plans;
}

Result<Candidate> Proposer::find_here() {
    if (Status status = count(); !status) {
        return status;
    }
    Result<Candidate> best(
        Status(ErrorCode::kUnavailable,
               "leaf: no leaf group has " + std::to_string(request_.nodes) +
                   " free nodes in whole TP groups and all required ones"));
    for (const Plan& plan : plans()) {
        if (!plan.shares.empty()) {
            keep_better(candidate(plan), best);
        }
    }
    return best;
}

/// A slow rail slows all rings of a job, so the nodes without one are tried alone as well.
Result<Candidate> Proposer::find_at_any_speed() {
    Result<Candidate> best = find_here();
    if (!best || !slow_nodes_) {
        return best;
    }
    const std::vector<std::uint8_t> before = avoided_;
    for (std::size_t i = 0; i < avoided_.size(); ++i) {
        const bool slow = tables_.slowness[i] > kFullSpeed && !request_.offers[i].required;
        avoided_[i] |= slow ? 1 : 0;
    }
    keep_better(find_here(), best);
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
                       std::to_string(request_.nodes) +
                       " free nodes for it and all required ones");
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
            keep_better(find_at_any_speed(), best);
        }
    }
    avoided_ = before;
    return best ? std::move(best) : Result<Candidate>(missing);
}

Result<Candidate> Proposer::find() {
    const bool apart = tables_.fabrics > 1 && request_.hints.hard() && !request_.hints.leaf;
    return apart ? find_in_one_fabric() : find_at_any_speed();
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
    auto first = find();
    if (!first) {
        return first.status();
    }
    std::vector<Candidate> found;
    found.push_back(std::move(first).value());
    // The next may take as long as the slowest so far, and a little more.
    Clock::time_point begun = start_;
    Clock::duration slowest{};
    const auto more = [&] {
        const Clock::time_point now = Clock::now();
        slowest = std::max(slowest, now - begun);
        begun = now;
        return found.size() < wanted && now - start_ + slowest * 5 / 4 < limits.budget;
    };
    do {
        avoid(found.back(), std::nullopt);
    } while (more() && add(find(), found));

    std::vector<std::uint32_t> groups;
    for (NodeIndex node : found.front().nodes) {
        const std::uint32_t group = cut_.cells()[cut_.bins()[cut_.bin_of(node)].cell].group;
        if (std::find(groups.begin(), groups.end(), group) == groups.end()) {
            groups.push_back(group);
        }
    }
    for (std::size_t i = 0; i < std::min(groups.size(), 2 * wanted) && groups.size() > 1 && more();
         ++i) {
        std::fill(avoided_.begin(), avoided_.end(), 0);
        avoid(found.front(), groups[i]);
        add(find(), found);
    }
    return found;
}

}  // namespace yardmaster
