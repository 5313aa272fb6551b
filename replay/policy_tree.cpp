#include <algorithm>
#include <optional>

#include "replay/policy.hpp"
#include "topology/node_order.hpp"

namespace yardmaster {
namespace {

/// A switch as topology/tree sees it. Leaf switches have nodes.
struct TreeSwitch {
    std::optional<std::size_t> parent;
    std::vector<NodeIndex> nodes;  // ascending
    std::uint32_t level = 0;
};

std::vector<TreeSwitch> switches_of(const Fabric& fabric) {
    std::vector<TreeSwitch> switches;
    for (const SwitchUnit& unit : fabric.units()) {
        TreeSwitch entry;
        entry.parent = unit.parent ? std::optional(raw(*unit.parent)) : std::nullopt;
        entry.nodes = unit.nodes;
        entry.level = unit.tier;
        switches.push_back(std::move(entry));
    }
    TreeSwitch loose;
    for (std::size_t i = 0; i < fabric.nodes().size(); ++i) {
        if (!fabric.nodes()[i].leaf) {
            loose.nodes.push_back(NodeIndex(i));
        }
    }
    if (!loose.nodes.empty()) {
        switches.push_back(std::move(loose));
    }
    return switches;
}

/// One job being placed: what every switch still has, and how far it is from those taken.
class LeafPicker {
  public:
    LeafPicker(const std::vector<TreeSwitch>& switches, const PlacementRequest& request)
        : switches_(switches),
          free_(switches.size()),
          count_(switches.size(), 0),
          distance_(switches.size(), 0) {
        for (std::size_t i = 0; i < switches.size(); ++i) {
            for (NodeIndex node : switches[i].nodes) {
                if (request.offers[raw(node)].usable) {
                    free_[i].push_back(node);
                }
            }
            change_count(i, static_cast<std::int64_t>(free_[i].size()));
        }
    }

    /// Nodes leaf by leaf from below one top switch; empty: none has so many.
    std::vector<NodeIndex> pick(std::uint32_t nodes) {
        std::vector<NodeIndex> chosen;
        const auto top = top_switch(nodes);
        if (!top) {
            return chosen;
        }
        leave_only(*top);
        while (chosen.size() < nodes) {
            const std::size_t leaf = best_leaf(nodes - chosen.size());
            const std::size_t count = std::min(nodes - chosen.size(), free_[leaf].size());
            chosen.insert(chosen.end(),
                          free_[leaf].begin(),
                          free_[leaf].begin() + static_cast<std::ptrdiff_t>(count));
            change_count(leaf, -static_cast<std::int64_t>(free_[leaf].size()));
            for (std::size_t i = 0; i < switches_.size(); ++i) {
                distance_[i] += hops(leaf, i);
            }
        }
        return chosen;
    }

  private:
    void change_count(std::size_t leaf, std::int64_t nodes) {
        for (std::optional<std::size_t> at = leaf; at; at = switches_[*at].parent) {
            count_[*at] += nodes;
        }
    }

    /// The last of the highest switches with enough nodes.
    std::optional<std::size_t> top_switch(std::uint32_t nodes) const {
        std::optional<std::size_t> top;
        for (std::size_t i = 0; i < switches_.size(); ++i) {
            if (count_[i] >= nodes && (!top || switches_[i].level >= switches_[*top].level)) {
                top = i;
            }
        }
        return top;
    }

    bool is_below(std::size_t leaf, std::size_t top) const {
        std::optional<std::size_t> at = leaf;
        while (at && *at != top) {
            at = switches_[*at].parent;
        }
        return at.has_value();
    }

    void leave_only(std::size_t top) {
        for (std::size_t i = 0; i < switches_.size(); ++i) {
            if (!is_below(i, top)) {
                change_count(i, -static_cast<std::int64_t>(free_[i].size()));
                free_[i].clear();
            }
        }
    }

    std::uint32_t depth(std::size_t at) const {
        std::uint32_t depth = 0;
        while (switches_[at].parent) {
            at = *switches_[at].parent;
            ++depth;
        }
        return depth;
    }

    /// Links between two switches; 0 where there is no way, as only one fabric is left to pick
    /// from.
    std::uint32_t hops(std::size_t a, std::size_t b) const {
        std::uint32_t depth_a = depth(a);
        std::uint32_t depth_b = depth(b);
        std::uint32_t hops = 0;
        for (; a != b; ++hops) {
            if (depth_a == 0 && depth_b == 0) {
                return 0;
            }
            std::size_t& deeper = depth_a >= depth_b ? a : b;
            --(depth_a >= depth_b ? depth_a : depth_b);
            deeper = *switches_[deeper].parent;
        }
        return hops;
    }

    std::size_t best_leaf(std::size_t nodes) const {
        std::optional<std::size_t> best;
        for (std::size_t i = 0; i < switches_.size(); ++i) {
            const bool leaf_with_nodes = !free_[i].empty() && count_[i] > 0;
            if (leaf_with_nodes && (!best || comes_before(i, *best, nodes))) {
                best = i;
            }
        }
        return *best;  // the top switch had enough nodes
    }

    bool comes_before(std::size_t i, std::size_t best, std::size_t nodes) const {
        const Comparison comparison = compare(i, best, static_cast<std::int64_t>(nodes));
        return (distance_[i] < distance_[best] && comparison.fits) ||
               (distance_[i] == distance_[best] && comparison.order > 0);
    }

    struct Comparison {
        int order = 0;      ///< 1: i is the better fit, -1: j is
        bool fits = false;  ///< i, or the switch above it that was looked at last, holds the rest
    };
    /// Compares two leaves, then what is above each while neither holds the rest: of two that do,
    /// the fuller; of two that do not, the emptier.
    Comparison compare(std::size_t i, std::size_t j, std::int64_t nodes) const {
        while (true) {
            const bool i_fits = count_[i] >= nodes;
            const bool j_fits = count_[j] >= nodes;
            if (i_fits != j_fits) {
                return {i_fits ? 1 : -1, i_fits};
            }
            if (i_fits) {
                return {sign(count_[j] - count_[i]), true};
            }
            const auto up_i = switches_[i].parent;
            const auto up_j = switches_[j].parent;
            if (!up_i || !up_j || up_i == up_j) {
                const int by_level = sign(std::int64_t{switches_[j].level} - switches_[i].level);
                const int by_count = sign(count_[i] - count_[j]);
                return {by_count != 0 ? by_count : by_level, false};
            }
            i = *up_i;
            j = *up_j;
        }
    }
    static int sign(std::int64_t value) { return (value > 0) - (value < 0); }

    const std::vector<TreeSwitch>& switches_;
    std::vector<std::vector<NodeIndex>> free_;  // [switch], of leaves
    std::vector<std::int64_t> count_;           // [switch] free nodes below it, not yet taken
    std::vector<std::uint32_t> distance_;       // [switch] hops to all leaves taken, added up
};

class TreePolicy final : public PlacementPolicy {
  public:
    explicit TreePolicy(const Fabric& fabric) : fabric_(fabric), switches_(switches_of(fabric)) {}

    std::string_view name() const override { return "tree"; }

    Result<std::vector<NodeIndex>> choose(const PlacementRequest& request) const override {
        auto chosen = LeafPicker(switches_, request).pick(request.nodes);
        if (chosen.empty()) {
            return Status(ErrorCode::kUnavailable, "below no switch are so many nodes free");
        }
        return chosen;
    }

    std::vector<NodeIndex> rank(const std::vector<NodeIndex>& nodes,
                                const PlacementRequest&) const override {
        return in_fabric_order(fabric_, nodes);
    }

  private:
    const Fabric& fabric_;
    const std::vector<TreeSwitch> switches_;
};

}  // namespace

std::unique_ptr<PlacementPolicy> make_tree_policy(const Fabric& fabric) {
    return std::make_unique<TreePolicy>(fabric);
}

}  // namespace yardmaster
