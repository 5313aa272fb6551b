#include "plugin/select/attempts.hpp"

#include <algorithm>
#include <bit>

#include "plugin/select/decision.hpp"
#include "plugin/select/gpu_choice.hpp"
#include "plugin/select/proposals.hpp"
#include "topology/gpu_list.hpp"

namespace yardmaster {
namespace {

/// The number of nodes to look for among `usable` ones; 0: too few for the job.
std::uint32_t nodes_to_take(const Question& question, const Demand& demand, std::size_t usable) {
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

Proposals sets_of(const Question& question,
                  const Demand& demand,
                  const FreeNodes& usable,
                  std::uint32_t limit) {
    return propose(question.loaded.placer,
                   question.loaded.fabric,
                   question.map,
                   question.supply,
                   demand,
                   usable,
                   limit);
}

/// Whether stock could give the job other GPUs of `nodes` than `choice`.
bool leaves_a_choice(const NodeSet& nodes, const FreeNodes& usable, const Demand& demand) {
    return std::any_of(nodes.begin(), nodes.end(), [&](std::int32_t node) {
        const GpuMask free = usable.gpus[static_cast<std::size_t>(node)];
        return static_cast<std::uint32_t>(std::popcount(free)) > demand.indices;
    });
}

/// ", 0-3": nothing where they differ from node to node.
std::string of_indices(GpuMask common) {
    return common == 0 ? "" : ", " + format_gpu_list(common) + ",";
}

/// Asks about one set: with the GPUs that we chose and, if that was but a wish, with all.
bool ask(Question& question,
         const Demand& demand,
         const FreeNodes& usable,
         const NodeSet& nodes,
         bool with_preemptees,
         Attempts& attempts) {
    const bool exact = demand.nodes_fixed || demand.binds();
    const GpuChoice choice =
        choose_gpus(nodes, usable, demand, question.loaded.fabric, question.map, !with_preemptees);
    const bool hides = question.may_hide && !choice.keep.empty() &&
                       (demand.needs_indices() || leaves_a_choice(nodes, usable, demand));
    bool accepted = hides && question.stock.accepts(nodes, with_preemptees, exact, choice.keep);
    if (accepted) {
        attempts.gpus = choice.common;
    } else if (!(hides && demand.needs_indices())) {
        accepted = question.stock.accepts(nodes, with_preemptees, exact);
        attempts.note = accepted && hides ? "stock cons_tres refused the GPUs chosen" +
                                                of_indices(choice.common) + " and took its own"
                                          : "";
    }
    if (!accepted) {
        return false;
    }
    if (choice.known && choice.common == 0 && nodes.size() > 1) {
        attempts.note = "no GPU indices are free on all nodes, so rails differ";
    }
    return true;
}

/// Asks about `sets` in turn. Whether it is of use to ask about others: none was accepted, and for
/// reasons that concern the nodes.
bool ask_each(Question& question,
              const Demand& demand,
              const FreeNodes& usable,
              const std::vector<NodeSet>& sets,
              bool with_preemptees,
              Attempts& attempts) {
    for (const NodeSet& nodes : sets) {
        attempts.accepted = ask(question, demand, usable, nodes, with_preemptees, attempts);
        if (attempts.accepted) {
            return false;
        }
        if (attempts.refused++ == 0) {
            attempts.first = nodes;
        }
        if (!ym_code_concerns_nodes(question.stock.code())) {
            return false;
        }
    }
    return true;
}

/// The shapes that so many usable nodes leave possible: of a range from the most nodes down, the
/// first for which there is a set (fewer nodes only make it easier), and the least.
std::vector<JobShape> shapes_to_try(const Question& question, const Moment& moment) {
    if (!question.size.as_many_as_possible) {
        return question.shapes;
    }
    const auto found = std::partition_point(
        question.shapes.begin(), question.shapes.end(), [&](const JobShape& shape) {
            const Demand demand = fixed_at(question.demand, shape);
            const FreeNodes usable = question.usable(demand, moment);
            return usable.nodes.size() < shape.nodes ||
                   sets_of(question, demand, usable, 1).sets.empty();
        });
    std::vector<JobShape> shapes(found, question.shapes.end());
    if (shapes.size() > 2) {
        shapes = {shapes.front(), shapes.back()};
    }
    return shapes;
}

}  // namespace

Attempts try_sets(Question& question,
                  const Demand& asked,
                  const Moment& moment,
                  std::uint32_t limit) {
    Attempts attempts;
    const FreeNodes usable = question.usable(asked, moment);
    Demand demand = asked;
    demand.nodes = nodes_to_take(question, asked, usable.nodes.size());
    if (demand.nodes == 0) {
        attempts.why_none = "too few nodes with enough free GPUs";
        return attempts;
    }
    // Stock nearly always takes the first set, and each further one costs the placer as much.
    const Proposals first = sets_of(question, demand, usable, 1);
    const bool with_preemptees = moment.kind == Moment::Kind::kPreempting;
    attempts.why_none = first.why_none;
    if (ask_each(question, demand, usable, first.sets, with_preemptees, attempts) && first.cut &&
        limit > 1) {
        Proposals rest = sets_of(question, demand, usable, limit);
        std::erase_if(rest.sets, [&](const NodeSet& set) {
            return !first.sets.empty() && set == first.sets.front();
        });
        attempts.why_none = rest.why_none;
        ask_each(question, demand, usable, rest.sets, with_preemptees, attempts);
    }
    return attempts;
}

Attempts try_shapes(Question& question, const Moment& moment) {
    if (question.shapes.empty()) {
        return try_sets(question, question.demand, moment);
    }
    Attempts attempts;
    attempts.why_none = "too few nodes with enough free GPUs";
    std::uint32_t refused = 0;
    for (const JobShape& shape : shapes_to_try(question, moment)) {
        const Demand demand = fixed_at(question.demand, shape);
        attempts = try_sets(question, demand, moment);
        refused += attempts.refused;
        attempts.refused = refused;
        if (attempts.accepted) {
            question.demand = demand;
            break;
        }
    }
    return attempts;
}

}  // namespace yardmaster
