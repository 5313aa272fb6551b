// What the placer works out once for a fabric.
#pragma once

#include <memory>
#include <vector>

#include "topology/cost_model.hpp"
#include "topology/fabric.hpp"
#include "topology/link_speed.hpp"
#include "topology/unit_tree.hpp"

namespace yardmaster {

/// Immutable once made. `fabric` must outlive it.
struct PlacerTables {
    PlacerTables(const Fabric& fabric, const CostWeights& weights);

    /// The tree that quanta of so many nodes are counted in: with spanning NVLink domains cut at
    /// leaf groups for single nodes, else with such domains whole.
    const UnitTree& tree_for(std::uint32_t quantum) const {
        return quantum > 1 && whole ? *whole : cut;
    }

    const Fabric& fabric;
    const CostWeights weights;
    const UnitTree cut;
    std::unique_ptr<const UnitTree> whole;  ///< none where no domain spans leaf groups
    const RailKinds rails;
    /// [NodeIndex]: its separate fabric, from 0 to fabrics - 1. Nodes below no switch are counted
    /// as one fabric: nothing says that they are apart.
    std::vector<std::uint32_t> fabric_of;
    std::uint32_t fabrics = 0;
};

}  // namespace yardmaster
