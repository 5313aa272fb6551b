// Builds a Fabric piece by piece and refuses what contradicts itself. The reader of fabric.json,
// the importers of other formats and the tests all go through it, so the rules stand in one place.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/status.hpp"
#include "topology/fabric.hpp"

namespace yardmaster {

/// Each function checks its own piece; errors (kMalformed) name the object, the value and the
/// remedy, and leave the place in the document to the caller. After an error, throw the builder
/// away.
class FabricBuilder {
  public:
    /// Higher switch trees than this are refused: none are built, and generated files may be wrong.
    static constexpr std::uint32_t kMaxTiers = 16;

    Status add_type(NodeType type);
    /// Nodes of one type, in order. The order of all calls is the order of NodeIndex.
    Status add_nodes(const std::vector<std::string>& names, std::string_view type);
    Status add_domain(std::string name, const std::vector<std::string>& nodes);
    /// A unit below `parent` (added before it); none: a root.
    Result<UnitIndex> add_unit(std::string name,
                               std::optional<UnitIndex> parent,
                               double oversubscription);
    /// Makes `unit` a leaf group that holds these nodes.
    Status add_leaf_nodes(UnitIndex unit, const std::vector<std::string>& nodes);
    Status add_exception(std::string_view node, RailException exception);

    /// The finished fabric: nodes without a domain get one of their own, named after the node.
    Result<Fabric> build() &&;

  private:
    Result<NodeIndex> known_node(std::string_view name) const;
    Status add_lone_domains();
    Status settle_tiers();

    Fabric fabric_;
    std::unordered_map<std::string, std::uint32_t> type_by_name_;
    std::unordered_set<std::string> domain_names_;
    std::unordered_set<std::string> unit_names_;
    std::vector<bool> in_domain_;       // [NodeIndex]
    std::vector<std::uint32_t> depth_;  // [UnitIndex], a root's is 1
};

}  // namespace yardmaster
