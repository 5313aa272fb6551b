#include "prolog/drain.hpp"

#include <algorithm>

#include "base/json_value.hpp"
#include "healthcheck/budget/collect.hpp"
#include "healthcheck/json_fields.hpp"
#include "healthcheck/reason.hpp"

namespace yardmaster {
namespace {

// What the child of give_back_within writes on success; anything else is an error's text.
constexpr const char* kRequeuedLine = "requeued";
constexpr const char* kCancelledLine = "cancelled";

DrainResult unreachable(const std::string& why) {
    return {false, "unreachable", why};
}

DrainResult breaker(const std::string& why) {
    return {false, "breaker", why};
}

const NodeState* find(const std::vector<NodeState>& nodes, const std::string& name) {
    const auto found = std::find_if(
        nodes.begin(), nodes.end(), [&](const NodeState& node) { return node.name == name; });
    return found == nodes.end() ? nullptr : &*found;
}

DrainResult leave(const NodeState& node) {
    if (is_our_reason(node.reason)) {
        return {true, "already-drained", "the node bears the reason \"" + node.reason + "\""};
    }
    return {true, "left-alone", "somebody else drained the node: \"" + node.reason + "\""};
}

/// A note that somebody left on a node in service is kept behind our reason.
std::string reason_keeping(const std::string& ours, const std::string& old) {
    return old.empty() || is_our_reason(old)
               ? ours
               : (ours + "; was: " + old).substr(0, 2 * kReasonMaxBytes);
}

/// The second look. Others may have drained at the same moment, or an admin may have written over
/// our reason; then the node is theirs.
DrainResult confirm(Controller& controller,
                    const DrainRequest& request,
                    const std::string& reason) {
    const DrainResult drained{true, "drained", ""};
    const auto nodes = controller.nodes();
    const NodeState* own = nodes ? find(*nodes, request.node) : nullptr;
    if (own == nullptr) {
        return drained;
    }
    if (own->reason != reason) {
        return own->out_of_service ? leave(*own) : drained;
    }
    const auto objection = breaker_objection(request, *nodes, true);
    if (objection && controller.resume(request.node)) {
        return breaker("drain taken back: " + *objection);
    }
    return drained;
}

std::string to_line(const DrainResult& result) {
    JsonValue object = JsonValue::object();
    object.set("out_of_service", result.out_of_service);
    object.set("outcome", result.outcome).set("why", result.why);
    return object.dump_exact();
}

Result<DrainResult> from_line(const std::string& line) {
    auto document = JsonDocument::parse(line);
    if (!document) {
        return document.status();
    }
    DrainResult result;
    JsonFields fields(document->root());
    fields.boolean("out_of_service", result.out_of_service);
    fields.string("outcome", result.outcome);
    fields.string("why", result.why);
    if (!fields.status()) {
        return fields.status();
    }
    return result;
}

}  // namespace

DrainResult drain_node(Controller& controller, const DrainRequest& request) {
    const auto own = controller.node(request.node);
    if (!own) {
        return unreachable(own.status().message());
    }
    if (own->out_of_service) {
        return leave(*own);
    }
    const auto nodes = controller.nodes();
    if (!nodes) {
        return unreachable(nodes.status().message());
    }
    if (const auto objection = breaker_objection(request, *nodes, false)) {
        return breaker(*objection);
    }
    const std::string reason = reason_keeping(request.reason, own->reason);
    if (Status status = controller.drain(request.node, reason); !status) {
        return unreachable(status.message());
    }
    return confirm(controller, request, reason);
}

DrainResult drain_node_within(const std::string& slurm_conf,
                              const DrainRequest& request,
                              std::chrono::steady_clock::time_point deadline) {
    const Task task{"drain", [&](int fd) {
                        const auto controller = make_slurm_controller(slurm_conf);
                        write_line(fd, to_line(drain_node(*controller, request)));
                    }};
    const auto lines = run_task(task, deadline);
    if (!lines) {
        return unreachable(lines.status().message() + ": slurmctld does not answer");
    }
    const auto result = lines->empty() ? Result<DrainResult>(ErrorCode::kUnavailable, "no answer")
                                       : from_line(lines->front());
    return result ? *result : unreachable("libslurm gave up: is " + slurm_conf + " readable?");
}

Result<GivenBack> give_back_within(const std::string& slurm_conf,
                                   std::uint32_t job,
                                   const std::string& note,
                                   std::chrono::steady_clock::time_point deadline) {
    const Task task{"give back", [&](int fd) {
                        const auto given = make_slurm_controller(slurm_conf)->give_back(job, note);
                        write_line(fd,
                                   !given                           ? given.status().message()
                                   : *given == GivenBack::kRequeued ? kRequeuedLine
                                                                    : kCancelledLine);
                    }};
    const auto lines = run_task(task, deadline);
    if (!lines) {
        return lines.status();
    }
    const std::string line = lines->empty() ? "libslurm gave no answer" : lines->front();
    if (line == kRequeuedLine || line == kCancelledLine) {
        return line == kRequeuedLine ? GivenBack::kRequeued : GivenBack::kCancelled;
    }
    return Status(ErrorCode::kUnavailable, line);
}

}  // namespace yardmaster
