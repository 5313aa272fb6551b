#include "prolog/breaker.hpp"

#include "healthcheck/reason.hpp"

namespace yardmaster {
namespace {

/// Other nodes that stand drained by us.
struct Census {
    unsigned recent = 0;      ///< within the window
    unsigned same_cause = 0;  ///< of those, with the request's cause
    unsigned same_job = 0;    ///< at any time, by the request's job
};

Census take_census(const DrainRequest& request, const std::vector<NodeState>& nodes) {
    Census census;
    for (const NodeState& node : nodes) {
        if (node.name == request.node || !node.out_of_service || !is_our_reason(node.reason)) {
            continue;
        }
        const auto reason = parse_reason(node.reason);
        const bool recent = node.reason_time >= request.now - request.breaker.window.count();
        census.recent += recent ? 1 : 0;
        census.same_cause += recent && reason && reason->cause == request.cause ? 1 : 0;
        census.same_job += reason && reason->job == request.job ? 1 : 0;
    }
    return census;
}

std::string said(unsigned count, const char* what, unsigned limit) {
    return std::to_string(count) + " other nodes " + what + " (limit " + std::to_string(limit) +
           ")";
}

}  // namespace

std::optional<std::string> breaker_objection(const DrainRequest& request,
                                             const std::vector<NodeState>& nodes,
                                             bool after) {
    const Census census = take_census(request, nodes);
    const BreakerPolicy& limits = request.breaker;
    // Others are counted, so the same limits hold before and after our own drain: with it the total
    // never stays above them.
    if (census.recent >= limits.max_drains) {
        return said(census.recent, "were drained by Yardmaster lately", limits.max_drains);
    }
    if (census.same_cause >= limits.max_same_cause) {
        return said(census.same_cause, "were drained for the same cause", limits.max_same_cause);
    }
    if (!after && request.restart_count > 0 && census.same_job >= limits.max_job_drains) {
        return said(census.same_job, "were drained by this job's starts", limits.max_job_drains);
    }
    return std::nullopt;
}

}  // namespace yardmaster
