#include "topology/placer_tables.hpp"

#include <map>
#include <optional>

namespace yardmaster {
namespace {

std::optional<UnitIndex> root_above(const Fabric& fabric, NodeIndex node) {
    std::optional<UnitIndex> at = fabric.node(node).leaf;
    while (at && fabric.unit(*at).parent) {
        at = fabric.unit(*at).parent;
    }
    return at;
}

}  // namespace

PlacerTables::PlacerTables(const Fabric& of, const CostWeights& cost_weights)
    : fabric(of),
      weights(cost_weights),
      cut(of, SpanningDomains::kCut, weights),
      rails(rail_kinds(of, weights)) {
    if (cut.has_spanning_domains()) {
        whole = std::make_unique<UnitTree>(fabric, SpanningDomains::kWhole, weights);
    }
    std::map<std::optional<UnitIndex>, std::uint32_t> numbers;
    for (std::uint32_t i = 0; i < fabric.nodes().size(); ++i) {
        const auto root = root_above(fabric, NodeIndex{i});
        fabric_of.push_back(
            numbers.try_emplace(root, static_cast<std::uint32_t>(numbers.size())).first->second);
    }
    fabrics = static_cast<std::uint32_t>(numbers.size());
}

}  // namespace yardmaster
