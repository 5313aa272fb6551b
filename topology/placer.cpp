#include "topology/placer.hpp"

#include "topology/proposer.hpp"
#include "topology/score.hpp"
#include "topology/unit_tree.hpp"

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

Placer::Placer(const Fabric& fabric)
    : fabric_(fabric), cut_(std::make_unique<UnitTree>(fabric, SpanningDomains::kCut)) {
    if (cut_->has_spanning_domains()) {
        whole_ = std::make_unique<UnitTree>(fabric, SpanningDomains::kWhole);
    }
}

Placer::~Placer() = default;

Result<std::vector<Candidate>> Placer::propose(const PlacementRequest& request,
                                               const PlacementLimits& limits) const {
    if (Status status = check_request(fabric_, request); !status) {
        return status;
    }
    const bool single_nodes = quantum_nodes(request.hints, request.gpus_per_node) == 1;
    const bool cut = !whole_ || single_nodes || request.hints.leaf;
    return Proposer(fabric_, cut ? *cut_ : *whole_, *cut_, request).propose(limits);
}

PlacementScore Placer::score(const std::vector<NodeIndex>& nodes,
                             const PlacementRequest& request) const {
    const Census census = take_census(fabric_, *cut_, request.offers);
    return score_set(*cut_, census, request.offers, nodes);
}

}  // namespace yardmaster
