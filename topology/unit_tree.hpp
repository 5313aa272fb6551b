// The placer's picture of a fabric: one tree from the join of all fabrics down to the bins that
// nodes are taken from.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "topology/cost_model.hpp"
#include "topology/fabric.hpp"

namespace yardmaster {

/// Costs of communication in 1/1024 line-rate hops, so that sums are exact and order-independent.
using HopCost = std::int64_t;
inline constexpr HopCost kLineRateHop = 1024;
/// No link is known: dearer than any real tree of 16 tiers at oversubscription 1000.
inline constexpr HopCost kSeparateFabric = kLineRateHop * 1000000;

enum class CellKind : std::uint8_t {
    kJoin,  ///< the one root: separate fabrics side by side
    kUnit,  ///< a pod, a core: holds cells
    kLeaf,  ///< a leaf group: holds bins
    kBin,   ///< holds nodes
};

struct Cell {
    CellKind kind = CellKind::kBin;
    std::uint32_t parent = 0;
    std::uint32_t first_child = 0;  ///< children are contiguous and stand after their parent
    std::uint32_t child_count = 0;
    std::uint32_t group = 0;     ///< bins and leaf groups: the cell that balance is counted in
    std::uint32_t height = 0;    ///< bins 0, leaf groups 1, other units 1 + their highest child's
    std::uint32_t preorder = 0;  ///< place in a depth-first walk: cells below one are neighbours
    HopCost weight = 0;          ///< cost of a job being in here and elsewhere too
    std::uint32_t bin = 0;       ///< kBin: its number
    /// No job that is spread over children of this cell, or of any above it, costs less.
    HopCost least_spread = 0;
};

/// Nodes that are interchangeable for communication.
struct Bin {
    std::uint32_t cell = 0;
    /// Nodes of many single-node domains: no quantum of more than one node fits.
    bool loose = false;
    bool multi_node_domain = false;
    DomainIndex domain{};           ///< of a bin that is not loose
    HopCost inside = kLineRateHop;  ///< an edge between two of its nodes
    /// What an edge between two rails of its leaf group costs more: it is reached through the tier
    /// above. Of bins in no leaf group 0.
    HopCost detour = 0;
    std::uint32_t first = 0, size = 0;  ///< its nodes in UnitTree::bin_nodes()
};

/// What to do with an NVLink domain whose nodes hang in several leaf groups.
enum class SpanningDomains {
    kCut,  ///< one bin in each leaf group: right for single nodes, and where one leaf must hold all
    kWhole,  ///< one bin, hung at the lowest unit above all its nodes: quanta may span leaf groups
};

class UnitTree {
  public:
    UnitTree(const Fabric& fabric, SpanningDomains spanning, const CostWeights& weights);

    const std::vector<Cell>& cells() const { return cells_; }
    const std::vector<Bin>& bins() const { return bins_; }
    std::uint32_t bin_of(NodeIndex node) const { return bin_of_[raw(node)]; }
    std::span<const NodeIndex> bin_nodes(const Bin& bin) const {
        return std::span(bin_nodes_).subspan(bin.first, bin.size);
    }
    /// An edge between nodes of two bins: line rate, and half of what every unit on the way weighs.
    HopCost edge(std::uint32_t bin_a, std::uint32_t bin_b) const;
    /// Whether an edge between nodes of two bins is NVLink.
    bool nvlink(std::uint32_t bin_a, std::uint32_t bin_b) const;
    /// What an edge to a node outside all NVLink domains of several nodes costs more than one
    /// inside the fastest of these; 0: there are none.
    HopCost node_weight() const { return node_weight_; }
    std::uint32_t height() const { return cells_.front().height; }
    /// Whether any domain's nodes hang in more than one leaf group.
    bool has_spanning_domains() const { return has_spanning_domains_; }

  private:
    friend class UnitTreeBuilder;
    std::vector<Cell> cells_;  // breadth first; the join of all is 0
    std::vector<Bin> bins_;
    std::vector<std::uint32_t> bin_of_;  // [NodeIndex]
    std::vector<NodeIndex> bin_nodes_;
    bool has_spanning_domains_ = false;
    HopCost node_weight_ = 0;
};

}  // namespace yardmaster
