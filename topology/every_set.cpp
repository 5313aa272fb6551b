#include "topology/every_set.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace yardmaster {
namespace {

/// Sums of products of counts stay below this, which is more than any limit.
constexpr std::uint64_t kMany = std::uint64_t{1} << 30;

}  // namespace

/// `count` of a bin's `nodes`, which stand as they are given away. Of those as welcome as the last
/// any will do, so it is open which.
SetFinder::Draw SetFinder::draw(std::span<const NodeIndex> nodes, std::size_t count) const {
    const auto welcome = [&](NodeIndex node) {
        const NodeOffer& offer = roster_.offer(node);
        return std::pair(!offer.required, offer.weight_class);
    };
    Draw draw;
    if (count == 0) {
        return draw;
    }
    const auto last = welcome(nodes[count - 1]);
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<NodeIndex>> kinds;
    for (NodeIndex node : nodes) {
        if (welcome(node) < last) {
            draw.certain.push_back(node);
        } else if (welcome(node) == last) {
            kinds[{tables_.cut.bin_of(node), tables_.rails.of[raw(node)]}].push_back(node);
        }
    }
    draw.open = static_cast<std::uint32_t>(count - draw.certain.size());
    for (auto& [key, alike] : kinds) {
        draw.kinds.push_back(std::move(alike));
    }
    return draw;
}

/// [quanta more than forced]
std::vector<SetFinder::Draw> SetFinder::draws_of(std::uint32_t bin,
                                                 std::uint32_t quanta,
                                                 bool in_order) const {
    std::vector<NodeIndex> nodes;
    for (NodeIndex node : roster_.nodes(bin)) {
        if (avoided_[raw(node)] == 0) {
            nodes.push_back(node);
        }
    }
    std::vector<Draw> draws;
    for (std::uint32_t take = supply_.forced[bin]; take <= std::min(quanta, supply_.capacity[bin]);
         ++take) {
        const std::size_t count = std::size_t{take} * roster_.quantum();
        if (in_order) {
            const auto end = nodes.begin() + static_cast<std::ptrdiff_t>(count);
            draws.push_back({{nodes.begin(), end}, {}, 0});
        } else {
            draws.push_back(draw(nodes, count));
        }
    }
    return draws;
}

/// In how many ways the open nodes can be chosen.
std::uint64_t SetFinder::ways(const Draw& draw) {
    std::vector<std::uint64_t> ways(draw.open + 1, 0);
    ways[0] = 1;
    for (const std::vector<NodeIndex>& alike : draw.kinds) {
        for (std::size_t total = draw.open + 1; total-- > 0;) {
            for (std::size_t take = 1; take <= std::min(total, alike.size()); ++take) {
                ways[total] = std::min(kMany, ways[total] + ways[total - take]);
            }
        }
    }
    return ways[draw.open];
}

std::uint64_t SetFinder::count(std::uint32_t quanta) const {
    std::vector<std::uint64_t> sets(quanta + 1, 0);
    sets[0] = 1;
    for (std::size_t i = 0; i < bins_.size(); ++i) {
        std::vector<std::uint64_t> next(quanta + 1, 0);
        for (std::size_t more = 0; more < draws_[i].size(); ++more) {
            const std::uint64_t here = ways(draws_[i][more]);
            const std::size_t take = supply_.forced[bins_[i]] + more;
            for (std::size_t total = take; total <= quanta; ++total) {
                next[total] = std::min(kMany, next[total] + here * sets[total - take]);
            }
        }
        sets = std::move(next);
    }
    return sets[quanta];
}

void SetFinder::from_kinds(
    std::size_t bin, const Draw& draw, std::size_t kind, std::uint32_t open, std::uint32_t left) {
    if (kind == draw.kinds.size()) {
        if (open == 0) {
            from_bins(bin + 1, left);
        }
        return;
    }
    const std::vector<NodeIndex>& alike = draw.kinds[kind];
    const std::size_t before = chosen_.size();
    for (std::uint32_t take = 0;; ++take) {
        from_kinds(bin, draw, kind + 1, open - take, left);
        chosen_.resize(before + take);
        if (take == std::min<std::size_t>(open, alike.size())) {
            break;
        }
        chosen_.push_back(alike[take]);
    }
    chosen_.resize(before);
}

void SetFinder::from_bins(std::size_t bin, std::uint32_t left) {
    if (bin == bins_.size()) {
        if (left == 0) {
            sets_.push_back(chosen_);
            std::sort(sets_.back().begin(), sets_.back().end());
        }
        return;
    }
    std::uint32_t take = supply_.forced[bins_[bin]];
    for (const Draw& draw : draws_[bin]) {
        if (take > left) {
            break;
        }
        const std::size_t before = chosen_.size();
        chosen_.insert(chosen_.end(), draw.certain.begin(), draw.certain.end());
        from_kinds(bin, draw, 0, draw.open, left - take);
        chosen_.resize(before);
        ++take;
    }
}

std::optional<std::vector<std::vector<NodeIndex>>> SetFinder::all(
    std::span<const std::uint32_t> bins, std::uint32_t quanta, std::uint64_t limit) {
    bins_.assign(bins.begin(), bins.end());
    sets_.clear();
    for (bool in_order : {false, true}) {
        draws_.clear();
        for (std::uint32_t bin : bins_) {
            draws_.push_back(draws_of(bin, quanta, in_order));
        }
        if (count(quanta) <= limit) {
            from_bins(0, quanta);
            return std::move(sets_);
        }
    }
    return std::nullopt;
}

}  // namespace yardmaster
