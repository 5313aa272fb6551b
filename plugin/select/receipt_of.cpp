#include "plugin/select/receipt_of.hpp"

namespace yardmaster {

Receipt receipt_of(const LoadedFabric& loaded,
                   const NodeMap& map,
                   const NodeSet& nodes,
                   const Demand& demand,
                   const Answer& answer) {
    Receipt receipt;
    receipt.chooser = answer.ours ? Receipt::Chooser::kYardmaster : Receipt::Chooser::kStock;
    receipt.hints = demand.hints;
    receipt.nodes = static_cast<std::uint32_t>(nodes.size());
    receipt.gpus_per_node = demand.gpus_per_node;
    receipt.rank = answer.rank;
    receipt.note = answer.note;
    std::vector<NodeIndex> known;
    for (const std::int32_t node : nodes) {
        if (const auto index = map.fabric_node(node)) {
            known.push_back(*index);
        }
    }
    const CostWeights& weights = loaded.placer.weights();
    receipt.weights = weights_mark(weights);
    receipt.facts = describe(loaded.fabric, known, demand.gpus_per_node, demand.hints, weights);
    if (known.size() < nodes.size()) {
        receipt.note += (receipt.note.empty() ? "" : "; ") +
                        std::to_string(nodes.size() - known.size()) +
                        " nodes are not in the fabric file";
    }
    return receipt;
}

Receipt stock_receipt(const Hints& hints,
                      const NodeSet& nodes,
                      const ym_job_info& info,
                      const std::string& why) {
    Receipt receipt;
    receipt.chooser = Receipt::Chooser::kStock;
    receipt.hints = hints;
    receipt.nodes = static_cast<std::uint32_t>(nodes.size());
    receipt.gpus_per_node = info.gpus_per_node;
    receipt.note = why;
    return receipt;
}

}  // namespace yardmaster
