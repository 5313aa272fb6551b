#include "plugin/select/attempts.hpp"

#include <algorithm>

#include "plugin/select/decision.hpp"
#include "plugin/select/proposals.hpp"

namespace yardmaster {
namespace {

/// The number of nodes to look for among `usable` ones; 0: too few for the job.
std::uint32_t nodes_to_take(const Question& question, std::size_t usable) {
    const Demand& demand = question.demand;
    const auto available = static_cast<std::uint32_t>(usable);
    if (available < question.test.min_nodes) {
        return 0;
    }
    if (demand.nodes_fixed) {
        return demand.nodes;
    }
    const std::uint32_t wanted = std::min(demand.nodes, available);
    const std::uint32_t quantum = quantum_nodes(demand.hints, demand.gpus_per_node);
    const std::uint32_t whole = wanted - wanted % quantum;
    return whole >= question.test.min_nodes ? whole : 0;
}

}  // namespace

Attempts try_sets(Question& question,
                  const NodeSet& usable,
                  bool with_preemptees,
                  std::uint32_t limit) {
    Attempts attempts;
    Demand demand = question.demand;
    demand.nodes = nodes_to_take(question, usable.size());
    if (demand.nodes == 0) {
        attempts.why_none = "too few nodes with enough free GPUs";
        return attempts;
    }
    const Proposals proposals = propose(question.loaded.placer,
                                        question.loaded.fabric,
                                        question.map,
                                        question.supply,
                                        demand,
                                        usable,
                                        limit);
    attempts.why_none = proposals.why_none;
    const bool exact = demand.nodes_fixed || demand.hints.hard();
    for (const NodeSet& nodes : proposals.sets) {
        if (question.stock.accepts(nodes, with_preemptees, exact)) {
            attempts.accepted = true;
            return attempts;
        }
        ++attempts.refused;
        if (!ym_code_concerns_nodes(question.stock.code())) {
            break;
        }
    }
    return attempts;
}

}  // namespace yardmaster
