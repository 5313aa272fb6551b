#include "topology/fabric.hpp"

#include <algorithm>

namespace yardmaster {

std::optional<NodeIndex> Fabric::find(std::string_view node_name) const {
    const auto found = by_name_.find(std::string(node_name));
    if (found == by_name_.end()) {
        return std::nullopt;
    }
    return found->second;
}

std::optional<Rail> Fabric::rail(NodeIndex i, GpuIndex gpu) const {
    for (const RailException& exception : node(i).exceptions) {
        if (exception.gpu == gpu) {
            return exception.rail;
        }
    }
    const std::vector<Rail>& rails = type_of(i).rails;
    if (raw(gpu) >= rails.size()) {
        return std::nullopt;
    }
    return rails[raw(gpu)];
}

std::uint32_t Fabric::largest_domain_gpus() const {
    std::uint32_t largest = 0;
    for (const NvlinkDomain& domain : domains_) {
        std::uint32_t gpus = 0;
        for (NodeIndex node : domain.nodes) {
            gpus += type_of(node).gpus;
        }
        largest = std::max(largest, gpus);
    }
    return largest;
}

std::optional<UnitIndex> Fabric::ancestor(UnitIndex leaf, std::uint32_t tier) const {
    std::optional<UnitIndex> at = leaf;
    while (at && unit(*at).tier < tier) {
        at = unit(*at).parent;
    }
    return at && unit(*at).tier == tier ? at : std::nullopt;
}

}  // namespace yardmaster
