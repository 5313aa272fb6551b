#include "topology/placer.hpp"

#include "topology/placer_tables.hpp"
#include "topology/proposer.hpp"
#include "topology/rank_plan.hpp"
#include "topology/score.hpp"

namespace yardmaster {
namespace {

Status invalid(std::string message) {
    return {ErrorCode::kInvalidArgument, std::move(message)};
}

Status check_request(const Fabric& fabric, const PlacementRequest& request) {
    if (request.offers.size() != fabric.nodes().size()) {
        return invalid("placement: " + std::to_string(request.offers.size()) +
                       " offers for a fabric of " + std::to_string(fabric.nodes().size()) +
                       " nodes");
    }
    if (request.nodes == 0) {
        return invalid("placement: a job needs at least one node");
    }
    const std::uint32_t quantum = quantum_nodes(request.hints, request.gpus_per_node);
    if (request.nodes % quantum != 0) {
        return invalid("placement: tp" + std::to_string(request.hints.tp.value_or(1)) + " with " +
                       std::to_string(request.gpus_per_node) + " GPUs per node takes groups of " +
                       std::to_string(quantum) + " nodes, which do not divide the job's " +
                       std::to_string(request.nodes));
    }
    return Status::ok();
}

}  // namespace

Placer::Placer(const Fabric& fabric, const CostWeights& weights)
    : tables_(std::make_unique<PlacerTables>(fabric, weights)) {}

Placer::~Placer() = default;

const CostWeights& Placer::weights() const {
    return tables_->weights;
}

Result<std::vector<Candidate>> Placer::propose(const PlacementRequest& request,
                                               const PlacementLimits& limits) const {
    if (Status status = check_request(tables_->fabric, request); !status) {
        return status;
    }
    return Proposer(*tables_, request).propose(limits);
}

PlacementScore Placer::score(const std::vector<NodeIndex>& nodes,
                             const PlacementRequest& request) const {
    const JobShape shape{static_cast<std::uint32_t>(nodes.size()), request.gpus_per_node};
    const JobModel job = model_job(tables_->fabric, request.hints, shape, tables_->weights);
    const Census census = take_census(tables_->fabric, tables_->cut, request.offers);
    Scorer scorer(*tables_, request, job, census);
    PlacementScore score = scorer.score(nodes);
    scorer.settle_order(nodes, score);
    return score;
}

namespace {

Result<double> best_seconds(const Placer& placer, const PlacementRequest& request) {
    const auto found = placer.propose(request, {1});
    if (!found || request.gpus_per_node == 0) {
        return found ? Result<double>(0.0) : Result<double>(found.status());
    }
    const auto plan =
        plan_ranks(placer.tables(), found->front().nodes, request.gpus_per_node, request.hints);
    return plan ? Result<double>(plan->time.seconds()) : Result<double>(plan.status());
}

}  // namespace

Result<BestPossible> best_possible(const Fabric& fabric,
                                   const Placer& placer,
                                   const PlacementRequest& request) {
    const auto now = best_seconds(placer, request);
    if (!now) {
        return now.status();
    }
    PlacementRequest empty = request;
    for (std::uint32_t i = 0; i < empty.offers.size(); ++i) {
        const bool fits = fabric.type_of(NodeIndex{i}).gpus >= request.gpus_per_node;
        empty.offers[i] = NodeOffer{};
        empty.offers[i].usable = fits;
    }
    const auto best = best_seconds(placer, empty);
    if (!best) {
        return best.status();
    }
    return BestPossible{*now, *best};
}

}  // namespace yardmaster
