#include "replay/occupancy.hpp"

#include <algorithm>

namespace yardmaster {

Occupancy::Occupancy(const Fabric& fabric) : fabric_(fabric), used_(fabric.nodes().size(), 0) {
    for (std::size_t i = 0; i < fabric.nodes().size(); ++i) {
        capacity_.push_back(std::max<std::uint32_t>(1, fabric.type_of(NodeIndex(i)).gpus));
    }
}

std::uint32_t Occupancy::share(const TraceJob& job, std::size_t node) const {
    return job.gpus_per_node == 0 ? capacity_[node] : job.gpus_per_node;
}

bool Occupancy::fits(const TraceJob& job, std::size_t node) const {
    return job.gpus_per_node <= fabric_.type_of(NodeIndex(node)).gpus &&
           used_[node] + share(job, node) <= capacity_[node];
}

void Occupancy::take(const TraceJob& job, const std::vector<NodeIndex>& nodes) {
    for (NodeIndex node : nodes) {
        used_[raw(node)] += share(job, raw(node));
    }
}

void Occupancy::give_back(const TraceJob& job, const std::vector<NodeIndex>& nodes) {
    for (NodeIndex node : nodes) {
        used_[raw(node)] -= share(job, raw(node));
    }
}

PlacementRequest Occupancy::request_for(const TraceJob& job,
                                        const std::vector<std::uint8_t>& kept_free) const {
    PlacementRequest request;
    request.nodes = job.nodes;
    request.gpus_per_node = job.gpus_per_node;
    request.hints = job.hints;
    request.offers.resize(used_.size());
    for (std::size_t i = 0; i < used_.size(); ++i) {
        request.offers[i].usable = fits(job, i) && (kept_free.empty() || kept_free[i] == 0);
        request.offers[i].part_used = used_[i] > 0;
    }
    return request;
}

}  // namespace yardmaster
