#include "cli/live_nodes.hpp"

namespace yardmaster::cli {

CellState cell_state(const SlurmNode& node) {
    if (!node.usable) {
        return CellState::kOut;
    }
    if (node.busy) {
        return CellState::kBusy;
    }
    return node.part_used ? CellState::kPartUsed : CellState::kFree;
}

std::vector<const SlurmNode*> live_records(const Fabric& fabric,
                                           const std::vector<SlurmNode>& cluster) {
    std::vector<const SlurmNode*> records(fabric.nodes().size(), nullptr);
    for (const SlurmNode& node : cluster) {
        if (const auto index = fabric.find(node.name)) {
            records[raw(*index)] = &node;
        }
    }
    return records;
}

std::vector<CellState> live_states(const Fabric& fabric,
                                   const std::vector<SlurmNode>& cluster,
                                   CellState unknown) {
    std::vector<CellState> states;
    for (const SlurmNode* node : live_records(fabric, cluster)) {
        states.push_back(node != nullptr ? cell_state(*node) : unknown);
    }
    return states;
}

std::vector<NodeOffer> live_offers(const Fabric& fabric,
                                   const std::vector<SlurmNode>& cluster,
                                   std::uint32_t gpus_per_node) {
    const auto records = live_records(fabric, cluster);
    std::vector<NodeOffer> offers(records.size());
    for (std::size_t i = 0; i < records.size(); ++i) {
        if (records[i] == nullptr) {
            continue;
        }
        const CellState state = cell_state(*records[i]);
        const std::uint32_t gpus = fabric.type_of(NodeIndex(i)).gpus;
        const bool open = state == CellState::kFree || state == CellState::kPartUsed;
        offers[i].usable = open && records[i]->gpus_used + gpus_per_node <= gpus;
        offers[i].soft_degraded = records[i]->soft.has_value();
        offers[i].part_used = state == CellState::kPartUsed;
    }
    return offers;
}

}  // namespace yardmaster::cli
