#include <algorithm>
#include <map>
#include <optional>

#include "replay/policy.hpp"
#include "topology/node_order.hpp"

namespace yardmaster {
namespace {

/// The blocks of one topology.
struct Blocks {
    std::vector<std::vector<NodeIndex>> nodes;  // [block], ascending
    std::size_t base_size = 0;                  // nodes of the smallest

    void add(std::vector<NodeIndex> block) {
        base_size = nodes.empty() ? block.size() : std::min(base_size, block.size());
        nodes.push_back(std::move(block));
    }
};

Blocks blocks_of_domains(const Fabric& fabric) {
    Blocks blocks;
    for (const NvlinkDomain& domain : fabric.domains()) {
        if (domain.nodes.size() > 1) {
            blocks.add(domain.nodes);
        }
    }
    return blocks;
}

/// Nodes that are alone in their NVLink domain, by leaf group; those below no switch come last.
Blocks blocks_of_leaf_groups(const Fabric& fabric) {
    std::map<std::size_t, std::vector<NodeIndex>> by_leaf;
    for (std::size_t i = 0; i < fabric.nodes().size(); ++i) {
        const FabricNode& node = fabric.nodes()[i];
        if (fabric.domain(node.domain).nodes.size() == 1) {
            by_leaf[node.leaf ? raw(*node.leaf) : SIZE_MAX].push_back(NodeIndex(i));
        }
    }
    Blocks blocks;
    for (auto& [leaf, nodes] : by_leaf) {
        blocks.add(std::move(nodes));
    }
    return blocks;
}

/// What is still free of each block while one job is placed.
class BlockPicker {
  public:
    BlockPicker(const Blocks& blocks, const PlacementRequest& request) {
        for (const auto& nodes : blocks.nodes) {
            free_.emplace_back();
            for (NodeIndex node : nodes) {
                if (request.offers[raw(node)].usable) {
                    free_.back().push_back(node);
                }
            }
        }
    }

    /// Takes `nodes` from at most `most_blocks`: whole from the fullest block that holds what is
    /// left, else all of the emptiest. Of equals the last, as Slurm's comparisons have it.
    bool take(std::size_t nodes, std::size_t most_blocks, std::vector<NodeIndex>& chosen) {
        for (; nodes > 0 && most_blocks > 0; --most_blocks) {
            const std::optional<std::size_t> best = best_block(nodes);
            if (!best) {
                return false;
            }
            auto& from = free_[*best];
            const std::size_t count = std::min(nodes, from.size());
            const auto end = from.begin() + static_cast<std::ptrdiff_t>(count);
            chosen.insert(chosen.end(), from.begin(), end);
            from.erase(from.begin(), end);
            nodes -= count;
        }
        return nodes == 0;
    }

  private:
    std::optional<std::size_t> best_block(std::size_t nodes) const {
        std::optional<std::size_t> best;
        for (std::size_t i = 0; i < free_.size(); ++i) {
            if (!free_[i].empty() && (!best || !better(*best, i, nodes))) {
                best = i;
            }
        }
        return best;
    }

    bool better(std::size_t a, std::size_t b, std::size_t nodes) const {
        const std::size_t has_a = free_[a].size();
        const std::size_t has_b = free_[b].size();
        if ((has_a >= nodes) != (has_b >= nodes)) {
            return has_a >= nodes;
        }
        return has_a >= nodes ? has_a < has_b : has_a > has_b;
    }

    std::vector<std::vector<NodeIndex>> free_;  // [block], ascending
};

class BlockPolicy final : public PlacementPolicy {
  public:
    explicit BlockPolicy(const Fabric& fabric)
        : fabric_(fabric), topologies_{blocks_of_domains(fabric), blocks_of_leaf_groups(fabric)} {}

    std::string_view name() const override { return "block"; }

    Result<std::vector<NodeIndex>> choose(const PlacementRequest& request) const override {
        for (const Blocks& blocks : topologies_) {
            std::vector<NodeIndex> chosen;
            if (!blocks.nodes.empty() && place(blocks, request, chosen)) {
                return chosen;
            }
        }
        return Status(ErrorCode::kUnavailable, "no few enough blocks hold it");
    }

    std::vector<NodeIndex> rank(const std::vector<NodeIndex>& nodes,
                                const PlacementRequest&) const override {
        auto ranked = in_fabric_order(fabric_, nodes);
        std::stable_sort(ranked.begin(), ranked.end(), [this](NodeIndex a, NodeIndex b) {
            return shared_domain(a) < shared_domain(b);
        });
        return ranked;
    }

  private:
    static bool place(const Blocks& blocks,
                      const PlacementRequest& request,
                      std::vector<NodeIndex>& chosen) {
        const std::size_t segment = quantum_nodes(request.hints, request.gpus_per_node);
        BlockPicker picker(blocks, request);
        if (segment <= 1) {
            const std::size_t most = (request.nodes + blocks.base_size - 1) / blocks.base_size;
            return picker.take(request.nodes, most, chosen);
        }
        if (segment > blocks.base_size || request.nodes % segment != 0) {
            return false;
        }
        bool placed = true;
        for (std::size_t i = 0; i < request.nodes / segment && placed; ++i) {
            placed = picker.take(segment, 1, chosen);
        }
        return placed;
    }

    /// The node's NVLink domain when it is a block; nodes outside such blocks come first.
    std::size_t shared_domain(NodeIndex node) const {
        const DomainIndex domain = fabric_.node(node).domain;
        return fabric_.domain(domain).nodes.size() > 1 ? raw(domain) + 1 : 0;
    }

    const Fabric& fabric_;
    const std::vector<Blocks> topologies_;
};

}  // namespace

std::unique_ptr<PlacementPolicy> make_block_policy(const Fabric& fabric) {
    return std::make_unique<BlockPolicy>(fabric);
}

}  // namespace yardmaster
