#include "topology/unit_tree.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "topology/link_speed.hpp"

namespace yardmaster {
namespace {

/// Out of a unit and into another.
HopCost crossing(const SwitchUnit& unit, const CostWeights& weights) {
    const double lost = unit.oversubscription - 1 + weights.tier_crossing;
    return std::max<HopCost>(1, std::llround(lost * static_cast<double>(kLineRateHop)));
}

HopCost unit_weight(const SwitchUnit& unit, const CostWeights& weights) {
    return unit.parent ? crossing(unit, weights) : kSeparateFabric;
}

/// The lowest unit above all `nodes`; none when they share no root or one hangs below no switch.
std::optional<UnitIndex> common_unit(const Fabric& fabric, const std::vector<NodeIndex>& nodes) {
    std::optional<UnitIndex> common = fabric.node(nodes.front()).leaf;
    for (NodeIndex node : nodes) {
        std::optional<UnitIndex> other = fabric.node(node).leaf;
        // Parents have the lower index, so the higher of the two moves up until they meet.
        while (common && other && *common != *other) {
            auto& lower = *common > *other ? common : other;
            lower = fabric.unit(*lower).parent;
        }
        if (!common || !other) {
            return std::nullopt;
        }
    }
    return common;
}

}  // namespace

/// Builds cells depth first with child lists, then lays them out breadth first.
class UnitTreeBuilder {
  public:
    UnitTreeBuilder(const Fabric& fabric,
                    SpanningDomains spanning,
                    const CostWeights& weights,
                    UnitTree& tree)
        : fabric_(fabric), spanning_(spanning), weights_(weights), tree_(tree) {}

    void build() {
        add_units();
        add_bins();
        lay_out();
        settle_least_spread();
        settle_heights();
        settle_preorder();
        fill_bins();
    }

  private:
    static constexpr std::uint32_t kNoBin = UINT32_MAX;
    struct Draft {
        Cell cell;
        std::vector<std::uint32_t> children;
    };

    void add_units();
    void add_bins();
    void add_domain(DomainIndex domain);
    std::uint32_t add_bin(std::optional<UnitIndex> home, bool loose, DomainIndex domain);
    void add_loose(NodeIndex node, UnitIndex leaf, DomainIndex domain);
    void lay_out();
    void settle_least_spread();
    void settle_heights();
    void settle_preorder();
    void fill_bins();

    std::uint32_t draft_of(std::optional<UnitIndex> unit) const {
        return unit ? static_cast<std::uint32_t>(raw(*unit)) + 1 : 0;
    }

    const Fabric& fabric_;
    const SpanningDomains spanning_;
    const CostWeights& weights_;
    UnitTree& tree_;
    std::vector<Draft> drafts_;             // [0]: the join; [1 + UnitIndex]; then bins
    std::vector<std::uint32_t> loose_bin_;  // [UnitIndex]
};

void UnitTreeBuilder::add_units() {
    drafts_.resize(fabric_.units().size() + 1);
    drafts_[0].cell.kind = CellKind::kJoin;
    for (std::uint32_t i = 0; i < fabric_.units().size(); ++i) {
        const SwitchUnit& unit = fabric_.unit(UnitIndex{i});
        Cell& cell = drafts_[i + 1].cell;
        cell.kind = unit.children.empty() ? CellKind::kLeaf : CellKind::kUnit;
        cell.weight = unit_weight(unit, weights_);
        drafts_[draft_of(unit.parent)].children.push_back(i + 1);
    }
    loose_bin_.assign(fabric_.units().size(), kNoBin);
}

std::uint32_t UnitTreeBuilder::add_bin(std::optional<UnitIndex> home,
                                       bool loose,
                                       DomainIndex domain) {
    const auto number = static_cast<std::uint32_t>(tree_.bins_.size());
    Bin bin;
    bin.loose = loose;
    bin.domain = domain;
    bin.multi_node_domain = !loose && fabric_.domain(domain).nodes.size() > 1;
    if (bin.multi_node_domain) {
        const NodeIndex first = fabric_.domain(domain).nodes.front();
        bin.inside = nvlink_hop(fabric_, fabric_.type_of(first), weights_);
        tree_.node_weight_ = std::max(tree_.node_weight_, kLineRateHop - bin.inside);
    }
    if (home && fabric_.unit(*home).children.empty()) {
        bin.detour = crossing(fabric_.unit(*home), weights_);
    }
    tree_.bins_.push_back(bin);
    Draft draft;
    draft.cell.bin = number;
    draft.cell.weight = !home ? kSeparateFabric : kLineRateHop - bin.inside;
    drafts_[draft_of(home)].children.push_back(static_cast<std::uint32_t>(drafts_.size()));
    drafts_.push_back(std::move(draft));
    return number;
}

void UnitTreeBuilder::add_loose(NodeIndex node, UnitIndex leaf, DomainIndex domain) {
    std::uint32_t& bin = loose_bin_[raw(leaf)];
    if (bin == kNoBin) {
        bin = add_bin(leaf, true, domain);
    }
    tree_.bin_of_[raw(node)] = bin;
}

void UnitTreeBuilder::add_domain(DomainIndex index) {
    const std::vector<NodeIndex>& nodes = fabric_.domain(index).nodes;
    const auto first_leaf = fabric_.node(nodes.front()).leaf;
    if (nodes.size() == 1 && first_leaf) {
        add_loose(nodes.front(), *first_leaf, index);
        return;
    }
    std::map<std::optional<UnitIndex>, std::uint32_t> bins;
    for (NodeIndex node : nodes) {
        const auto leaf = fabric_.node(node).leaf;
        tree_.has_spanning_domains_ |= leaf != first_leaf;
        const auto home = spanning_ == SpanningDomains::kCut ? leaf : common_unit(fabric_, nodes);
        const auto [entry, added] = bins.try_emplace(home, 0);
        if (added) {
            entry->second = add_bin(home, false, index);
        }
        tree_.bin_of_[raw(node)] = entry->second;
    }
}

void UnitTreeBuilder::add_bins() {
    tree_.bin_of_.assign(fabric_.nodes().size(), 0);
    for (std::uint32_t i = 0; i < fabric_.domains().size(); ++i) {
        add_domain(DomainIndex{i});
    }
}

void UnitTreeBuilder::lay_out() {
    std::vector<std::uint32_t> order{0};
    tree_.cells_.push_back(drafts_[0].cell);
    for (std::uint32_t i = 0; i < order.size(); ++i) {
        const Draft& draft = drafts_[order[i]];
        tree_.cells_[i].first_child = static_cast<std::uint32_t>(order.size());
        tree_.cells_[i].child_count = static_cast<std::uint32_t>(draft.children.size());
        for (std::uint32_t child : draft.children) {
            const auto index = static_cast<std::uint32_t>(order.size());
            Cell cell = drafts_[child].cell;
            cell.parent = i;
            const bool in_leaf = tree_.cells_[i].kind == CellKind::kLeaf;
            cell.group = in_leaf ? i : index;
            if (cell.kind == CellKind::kBin) {
                tree_.bins_[cell.bin].cell = index;
            }
            tree_.cells_.push_back(cell);
            order.push_back(child);
        }
    }
}

void UnitTreeBuilder::settle_least_spread() {
    constexpr HopCost kNever = std::numeric_limits<HopCost>::max();
    std::vector<Cell>& cells = tree_.cells_;
    for (std::uint32_t i = 0; i < cells.size(); ++i) {
        HopCost least = kNever;
        HopCost second = kNever;
        for (std::uint32_t k = 0; k < cells[i].child_count; ++k) {
            const HopCost weight = cells[cells[i].first_child + k].weight;
            second = std::min(second, std::max(weight, least));
            least = std::min(least, weight);
        }
        const HopCost here = second == kNever ? kNever : least + second;
        cells[i].least_spread = i == 0 ? here : std::min(here, cells[cells[i].parent].least_spread);
    }
}

void UnitTreeBuilder::settle_heights() {
    std::vector<Cell>& cells = tree_.cells_;
    for (std::size_t i = cells.size(); i-- > 1;) {
        Cell& cell = cells[i];
        cell.height = cell.kind == CellKind::kBin ? 0 : std::max(cell.height, 1u);
        Cell& parent = cells[cell.parent];
        parent.height = std::max(parent.height, cell.height + 1);
    }
}

void UnitTreeBuilder::settle_preorder() {
    std::vector<Cell>& cells = tree_.cells_;
    std::vector<std::uint32_t> size(cells.size(), 1);
    for (std::size_t i = cells.size(); i-- > 1;) {
        size[cells[i].parent] += size[i];
    }
    for (std::uint32_t i = 0; i < cells.size(); ++i) {
        std::uint32_t next = cells[i].preorder + 1;
        for (std::uint32_t k = 0; k < cells[i].child_count; ++k) {
            cells[cells[i].first_child + k].preorder = next;
            next += size[cells[i].first_child + k];
        }
    }
}

void UnitTreeBuilder::fill_bins() {
    for (std::uint32_t bin : tree_.bin_of_) {
        tree_.bins_[bin].size += 1;
    }
    std::uint32_t first = 0;
    for (Bin& bin : tree_.bins_) {
        bin.first = first;
        first += bin.size;
        bin.size = 0;
    }
    tree_.bin_nodes_.resize(first);
    for (std::uint32_t i = 0; i < tree_.bin_of_.size(); ++i) {
        Bin& bin = tree_.bins_[tree_.bin_of_[i]];
        tree_.bin_nodes_[bin.first + bin.size++] = NodeIndex{i};
    }
}

UnitTree::UnitTree(const Fabric& fabric, SpanningDomains spanning, const CostWeights& weights) {
    UnitTreeBuilder(fabric, spanning, weights, *this).build();
}

bool UnitTree::nvlink(std::uint32_t bin_a, std::uint32_t bin_b) const {
    const Bin& a = bins_[bin_a];
    const Bin& b = bins_[bin_b];
    return a.multi_node_domain && b.multi_node_domain && a.domain == b.domain;
}

HopCost UnitTree::edge(std::uint32_t bin_a, std::uint32_t bin_b) const {
    if (bin_a == bin_b || nvlink(bin_a, bin_b)) {
        return bins_[bin_a].inside;
    }
    HopCost cost = kLineRateHop;
    const auto start = [&](std::uint32_t bin) {
        const Cell& cell = cells_[bins_[bin].cell];
        cost += cell.parent == 0 ? cell.weight / 2 : 0;
        return cell.parent;
    };
    std::uint32_t a = start(bin_a);
    std::uint32_t b = start(bin_b);
    // Parents have the lower index, so the higher of the two moves up until they meet.
    while (a != b) {
        std::uint32_t& lower = a > b ? a : b;
        cost += cells_[lower].weight / 2;
        lower = cells_[lower].parent;
    }
    return cost;
}

}  // namespace yardmaster
