#include "topology/score.hpp"

#include <algorithm>

namespace yardmaster {

Scorer::Scorer(const PlacerTables& tables,
               const PlacementRequest& request,
               const JobModel& job,
               const Census& census)
    : tables_(tables),
      request_(request),
      job_(job),
      census_(census),
      orders_(tables, job),
      count_(tables.cut.cells().size(), 0) {}

void Scorer::improve_order(const std::vector<NodeIndex>& nodes, PlacementScore& score) {
    score.comm_cost = orders_.seconds(orders_.choose_better(nodes).cost);
}

void Scorer::settle_order(const std::vector<NodeIndex>& nodes, PlacementScore& score) {
    if (orders_.thorough()) {
        score.comm_cost = orders_.seconds(orders_.choose_well(nodes).cost);
    }
}

void Scorer::count_touched(const std::vector<NodeIndex>& nodes) {
    for (std::uint32_t cell : touched_) {
        count_[cell] = 0;
    }
    touched_.clear();
    const UnitTree& tree = tables_.cut;
    for (NodeIndex node : nodes) {
        std::uint32_t cell = tree.bins()[tree.bin_of(node)].cell;
        for (; cell != 0; cell = tree.cells()[cell].parent) {
            if (count_[cell]++ == 0) {
                touched_.push_back(cell);
            }
        }
    }
}

void Scorer::add_cells(PlacementScore& score) const {
    std::uint32_t most = 0;
    std::uint32_t least = UINT32_MAX;
    std::uint32_t fabrics = 0;
    for (std::uint32_t index : touched_) {
        const Cell& cell = tables_.cut.cells()[index];
        fabrics += cell.parent == 0 ? 1 : 0;
        const bool leaf = cell.kind == CellKind::kLeaf;
        if (!leaf && !(cell.kind == CellKind::kBin && cell.group == index)) {
            continue;
        }
        score.leaf_groups += 1;
        most = std::max(most, count_[index]);
        least = std::min(least, count_[index]);
        score.broken_leaf_groups += leaf && census_.group_free[index] != 0 ? 1 : 0;
        const std::uint32_t usable = census_.group_usable[index];
        score.leftover_nodes += usable - std::min(usable, count_[index]);
    }
    score.separate_fabrics = fabrics > 0 ? fabrics - 1 : 0;
    score.imbalance = most - std::min(least, most);
}

std::uint32_t Scorer::broken_domains() const {
    std::vector<DomainIndex> domains;
    for (std::uint32_t index : touched_) {
        const Cell& cell = tables_.cut.cells()[index];
        if (cell.kind != CellKind::kBin) {
            continue;
        }
        const Bin& bin = tables_.cut.bins()[cell.bin];
        if (bin.multi_node_domain && census_.domain_free[raw(bin.domain)] != 0) {
            domains.push_back(bin.domain);
        }
    }
    std::sort(domains.begin(), domains.end());
    return static_cast<std::uint32_t>(std::unique(domains.begin(), domains.end()) -
                                      domains.begin());
}

/// Quanta that the set's domains cannot hold whole, in any order.
std::uint32_t Scorer::split_quanta(const std::vector<NodeIndex>& nodes) const {
    if (job_.quantum == 1) {
        return 0;
    }
    std::vector<std::size_t> domains;
    for (NodeIndex node : nodes) {
        domains.push_back(raw(tables_.fabric.node(node).domain));
    }
    std::sort(domains.begin(), domains.end());
    std::size_t whole = 0;
    for (std::size_t begin = 0, end = 0; begin < domains.size(); begin = end) {
        while (end < domains.size() && domains[end] == domains[begin]) {
            ++end;
        }
        whole += (end - begin) / job_.quantum;
    }
    return job_.quanta - static_cast<std::uint32_t>(std::min<std::size_t>(whole, job_.quanta));
}

PlacementScore Scorer::score(const std::vector<NodeIndex>& nodes) {
    PlacementScore score;
    score.weight_use.assign(census_.weight_classes.size(), 0);
    for (NodeIndex node : nodes) {
        const NodeOffer& offer = request_.offers[raw(node)];
        // Heaviest first, so the order is descending.
        const auto at = std::lower_bound(census_.weight_classes.begin(),
                                         census_.weight_classes.end(),
                                         offer.weight_class,
                                         std::greater<>());
        score.weight_use[static_cast<std::size_t>(at - census_.weight_classes.begin())] += 1;
        score.soft_degraded += offer.soft_degraded ? 1 : 0;
        score.fresh_nodes += offer.part_used ? 0 : 1;
    }
    score.split_quanta = split_quanta(nodes);
    count_touched(nodes);
    add_cells(score);
    score.broken_domains = broken_domains();
    score.comm_cost = orders_.seconds(orders_.choose(nodes).cost);
    return score;
}

}  // namespace yardmaster
