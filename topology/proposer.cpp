#include "topology/proposer.hpp"

#include <algorithm>
#include <numeric>

#include "topology/score.hpp"

namespace yardmaster {

Proposer::Proposer(const Fabric& fabric,
                   const UnitTree& choice,
                   const UnitTree& cut,
                   const PlacementRequest& request)
    : tree_(choice),
      cut_(cut),
      request_(request),
      quanta_(request.nodes / quantum_nodes(request.hints, request.gpus_per_node)),
      roster_(choice, request, quantum_nodes(request.hints, request.gpus_per_node)),
      census_(take_census(fabric, choice, request.offers)),
      cut_census_(&choice == &cut ? census_ : take_census(fabric, cut, request.offers)),
      all_bins_(choice.bins().size()),
      avoided_(request.offers.size(), 0),
      costs_(choice) {
    std::iota(all_bins_.begin(), all_bins_.end(), 0);
}

Candidate Proposer::candidate(const Plan& plan) const {
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
    result.score = score_set(cut_, cut_census_, request_.offers, result.nodes);
    return result;
}

Result<Candidate> Proposer::find_in_tree() {
    Status status = count_supply(roster_, all_bins_, avoided_, quanta_, supply_);
    if (!status) {
        return status;
    }
    costs_.compute(supply_, quanta_);
    const Planner planner(tree_, census_, supply_, costs_, roster_.quantum());
    const auto plan = planner.best(quanta_, request_.hints.leaf);
    if (!plan) {
        return Status(ErrorCode::kUnavailable,
                      "leaf: no leaf group has " + std::to_string(request_.nodes) +
                          " free nodes in whole TP groups and all required ones");
    }
    return candidate(*plan);
}

/// With several weight classes every leaf group has its own lightest choice, so each is tried.
Result<Candidate> Proposer::find_in_leaf_groups() {
    std::optional<Candidate> best;
    Status missing(ErrorCode::kUnavailable, "leaf: this fabric has no leaf group");
    std::uint32_t required = 0;
    for (const NodeOffer& offer : request_.offers) {
        required += offer.required ? 1 : 0;
    }
    for (const Cell& leaf : tree_.cells()) {
        if (leaf.kind != CellKind::kLeaf) {
            continue;
        }
        std::vector<std::uint32_t> bins;
        std::uint32_t required_here = 0;
        for (std::uint32_t i = 0; i < leaf.child_count; ++i) {
            bins.push_back(tree_.cells()[leaf.first_child + i].bin);
            for (NodeIndex node : roster_.nodes(bins.back())) {
                required_here += roster_.offer(node).required ? 1 : 0;
            }
        }
        Status status = count_supply(roster_, bins, avoided_, quanta_, supply_);
        if (!status || required_here < required) {
            missing = {ErrorCode::kUnavailable,
                       "leaf: no leaf group has " + std::to_string(request_.nodes) +
                           " free nodes in whole TP groups and all required ones"};
            continue;
        }
        costs_.compute(supply_, quanta_);
        const Planner planner(tree_, census_, supply_, costs_, roster_.quantum());
        if (const auto plan = planner.best(quanta_, true)) {
            Candidate next = candidate(*plan);
            if (!best || next.score < best->score) {
                best = std::move(next);
            }
        }
    }
    return best ? Result<Candidate>(std::move(*best)) : Result<Candidate>(missing);
}

Result<Candidate> Proposer::find() {
    return request_.hints.leaf && !roster_.one_class() ? find_in_leaf_groups() : find_in_tree();
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
