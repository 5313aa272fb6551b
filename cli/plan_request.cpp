#include "cli/plan_request.hpp"

#include "cli/live_nodes.hpp"
#include "cli/node_sets.hpp"
#include "cli/words.hpp"

namespace yardmaster::cli {
namespace {

Status mark_busy(const Fabric& fabric, const PlanOptions& options, PlanRequest& plan) {
    const auto busy = nodes_from_expression(fabric, options.busy, "--busy");
    if (!busy) {
        return busy.status();
    }
    for (NodeIndex node : *busy) {
        plan.states[raw(node)] = CellState::kBusy;
        plan.request.offers[raw(node)].usable = false;
    }
    return Status::ok();
}

Status mark_part_used(const Fabric& fabric, const PlanOptions& options, PlanRequest& plan) {
    const auto used = nodes_from_expression(fabric, options.part_used, "--part-used");
    if (!used) {
        return used.status();
    }
    for (NodeIndex node : *used) {
        if (plan.states[raw(node)] == CellState::kBusy) {
            continue;
        }
        plan.states[raw(node)] = CellState::kPartUsed;
        NodeOffer& offer = plan.request.offers[raw(node)];
        offer.part_used = true;
        // At least one GPU is taken there, so a job that wants all of a node's GPUs cannot have it.
        const std::uint32_t wanted = plan.request.gpus_per_node;
        offer.usable = offer.usable && (wanted == 0 || wanted < fabric.type_of(node).gpus);
    }
    return Status::ok();
}

Status mark_required(const Fabric& fabric, const PlanOptions& options, PlanRequest& plan) {
    const auto required = nodes_from_expression(fabric, options.nodelist, "--nodelist");
    if (!required) {
        return required.status();
    }
    for (NodeIndex node : *required) {
        NodeOffer& offer = plan.request.offers[raw(node)];
        if (!offer.usable) {
            return {ErrorCode::kInvalidArgument,
                    "--nodelist: " + fabric.node(node).name +
                        " is busy, part-used or has too few GPUs; leave it out of the list"};
        }
        offer.required = true;
    }
    return Status::ok();
}

}  // namespace

Result<PlanRequest> make_plan_request(const Fabric& fabric,
                                      const PlanOptions& options,
                                      const std::vector<SlurmNode>* cluster) {
    const auto hints = parse_hints(options.hints);
    if (!hints) {
        return hints.status().with_context("--hints");
    }
    PlanRequest plan;
    plan.request = request_on_empty_fabric(fabric, options.nodes, options.gpus_per_node, *hints);
    plan.states.assign(fabric.nodes().size(), CellState::kFree);
    if (cluster != nullptr) {
        plan.states = live_states(fabric, *cluster, CellState::kOut);
        plan.request.offers = live_offers(fabric, *cluster, options.gpus_per_node);
    }
    for (const auto mark : {&mark_busy, &mark_part_used, &mark_required}) {
        if (Status status = mark(fabric, options, plan); !status) {
            return status;
        }
    }
    return plan;
}

std::string request_text(const PlacementRequest& request) {
    std::string text = count_of(request.nodes, "node") + " x " +
                       count_of(request.gpus_per_node, "GPU") + ", " +
                       (request.hints.empty() ? "no hints" : "hints " + request.hints.to_string());
    const std::uint32_t quantum = quantum_nodes(request.hints, request.gpus_per_node);
    if (request.gpus_per_node > 0 && quantum > 1) {
        text += ", a TP group takes " + count_of(quantum, "node");
    }
    return text;
}

}  // namespace yardmaster::cli
