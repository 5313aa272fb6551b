#include "topology/score.hpp"

#include <algorithm>

namespace yardmaster {
namespace {

/// Nodes of a set in every cell it touches.
class TouchCount {
  public:
    TouchCount(const UnitTree& tree, const std::vector<NodeIndex>& nodes)
        : tree_(tree), count_(tree.cells().size(), 0) {
        for (NodeIndex node : nodes) {
            std::uint32_t cell = tree.bins()[tree.bin_of(node)].cell;
            for (; cell != 0; cell = tree.cells()[cell].parent) {
                touch(cell);
            }
        }
    }

    /// In the order in which the set's nodes come to them; the join of all is left out.
    const std::vector<std::uint32_t>& cells() const { return touched_; }
    std::uint32_t operator[](std::uint32_t cell) const { return count_[cell]; }

  private:
    void touch(std::uint32_t cell) {
        if (count_[cell]++ == 0) {
            touched_.push_back(cell);
        }
    }

    const UnitTree& tree_;
    std::vector<std::uint32_t> count_;
    std::vector<std::uint32_t> touched_;
};

void add_cells(const UnitTree& tree,
               const Census& census,
               const TouchCount& count,
               std::size_t nodes,
               PlacementScore& score) {
    HopCost cost = 0;
    std::uint32_t most = 0;
    std::uint32_t least = UINT32_MAX;
    std::uint32_t fabrics = 0;
    for (std::uint32_t index : count.cells()) {
        const Cell& cell = tree.cells()[index];
        cost += count[index] < nodes ? cell.weight : 0;
        fabrics += cell.parent == 0 ? 1 : 0;
        const bool leaf = cell.kind == CellKind::kLeaf;
        if (!leaf && !(cell.kind == CellKind::kBin && cell.group == index)) {
            continue;
        }
        score.leaf_groups += 1;
        most = std::max(most, count[index]);
        least = std::min(least, count[index]);
        score.broken_leaf_groups += leaf && census.group_free[index] != 0 ? 1 : 0;
        const std::uint32_t usable = census.group_usable[index];
        score.leftover_nodes += usable - std::min(usable, count[index]);
    }
    score.comm_cost = static_cast<double>(cost) / static_cast<double>(kLineRateHop);
    score.separate_fabrics = fabrics > 0 ? fabrics - 1 : 0;
    score.imbalance = most - std::min(least, most);
}

std::uint32_t broken_domains(const UnitTree& tree, const Census& census, const TouchCount& count) {
    std::vector<DomainIndex> domains;
    for (std::uint32_t index : count.cells()) {
        const Cell& cell = tree.cells()[index];
        if (cell.kind != CellKind::kBin) {
            continue;
        }
        const Bin& bin = tree.bins()[cell.bin];
        if (bin.multi_node_domain && census.domain_free[raw(bin.domain)] != 0) {
            domains.push_back(bin.domain);
        }
    }
    std::sort(domains.begin(), domains.end());
    return static_cast<std::uint32_t>(std::unique(domains.begin(), domains.end()) -
                                      domains.begin());
}

}  // namespace

PlacementScore score_set(const UnitTree& tree,
                         const Census& census,
                         const std::vector<NodeOffer>& offers,
                         const std::vector<NodeIndex>& nodes) {
    PlacementScore score;
    score.weight_use.assign(census.weight_classes.size(), 0);
    for (NodeIndex node : nodes) {
        const NodeOffer& offer = offers[raw(node)];
        // Heaviest first, so the order is descending.
        const auto at = std::lower_bound(census.weight_classes.begin(),
                                         census.weight_classes.end(),
                                         offer.weight_class,
                                         std::greater<>());
        score.weight_use[static_cast<std::size_t>(at - census.weight_classes.begin())] += 1;
        score.fresh_nodes += offer.part_used ? 0 : 1;
    }
    const TouchCount count(tree, nodes);
    add_cells(tree, census, count, nodes.size(), score);
    score.broken_domains = broken_domains(tree, census, count);
    return score;
}

}  // namespace yardmaster
