#include "plugin/job_submit/intake.hpp"

#include "plugin/common/gpu_request.hpp"
#include "plugin/job_submit/named_nodes.hpp"

namespace yardmaster {
namespace {

std::string_view text_of(const char* text) {
    return text == nullptr ? "" : text;
}

std::uint32_t gpus(const char* tres) {
    return gpus_in(text_of(tres)).value_or(0);
}

std::uint32_t gpus_by_task(const ym_submission& submission, std::uint32_t nodes) {
    const std::uint32_t per_task = gpus(submission.tres_per_task);
    if (submission.ntasks_per_node > 0) {
        return per_task * submission.ntasks_per_node;
    }
    const bool even = nodes > 0 && submission.num_tasks % nodes == 0;
    return even ? per_task * (submission.num_tasks / nodes) : 0;
}

Status refuse_elsewhere(std::string_view option, const char* value) {
    const auto word = find_hint_word(text_of(value));
    if (!word) {
        return Status::ok();
    }
    return {ErrorCode::kInvalidArgument,
            "placement hint \"" + *word + "\" stands in " + std::string(option) +
                "; hints belong into --constraint, joined with &"};
}

/// Hard hints need to know the job's extent, and a plan of their own.
Status check_hard(const Hints& hints, const ym_submission& submission, const JobShape& shape) {
    const std::string words = hints.to_string();
    if (shape.nodes == 0) {
        return {ErrorCode::kInvalidArgument,
                words + ": needs a fixed number of nodes; add -N, without a range"};
    }
    const bool needs_gpus = hints.rail || (hints.tp && *hints.tp > 1);
    if (needs_gpus && shape.gpus_per_node == 0) {
        return {ErrorCode::kInvalidArgument,
                words +
                    ": needs the number of GPUs on each node; add --gpus-per-node (with --gpus "
                    "or --gpus-per-socket Slurm may spread them unevenly)"};
    }
    if (submission.contiguous || submission.spread) {
        return {ErrorCode::kInvalidArgument,
                words + ": cannot be combined with --contiguous or --spread-job"};
    }
    if (text_of(submission.features).find('*') != std::string_view::npos) {
        return {ErrorCode::kInvalidArgument,
                words +
                    ": cannot be combined with node counts in --constraint (\"*N\"); submit a "
                    "heterogeneous job with one component for each kind of node"};
    }
    return Status::ok();
}

/// This version keeps `rail` by whole nodes: then the indices are the same everywhere.
Status check_rail(const JobShape& shape, const Fabric& fabric) {
    std::string counts;
    for (const NodeType& type : fabric.types()) {
        if (type.gpus == shape.gpus_per_node) {
            return Status::ok();
        }
        if (type.gpus > 0) {
            counts += (counts.empty() ? "" : " or ") + std::to_string(type.gpus);
        }
    }
    return {ErrorCode::kInfeasible,
            "rail: is kept for jobs that take every GPU of their nodes; ask for --gpus-per-node=" +
                counts};
}

}  // namespace

JobShape shape_of(const ym_submission& submission) {
    JobShape shape;
    const bool fixed = submission.min_nodes > 0 && (submission.max_nodes == submission.min_nodes);
    shape.nodes = fixed ? submission.min_nodes : 0;
    shape.gpus_per_node = gpus(submission.tres_per_node);
    if (shape.gpus_per_node == 0) {
        shape.gpus_per_node = gpus_by_task(submission, shape.nodes);
    }
    return shape;
}

Status check_hints(const Hints& hints, const ym_submission& submission, const Fabric* fabric) {
    const JobShape shape = shape_of(submission);
    if (hints.hard()) {
        if (Status status = check_hard(hints, submission, shape); !status) {
            return status;
        }
    }
    if (fabric == nullptr) {
        return Status::ok();
    }
    if (hints.rail) {
        if (Status status = check_rail(shape, *fabric); !status) {
            return status;
        }
    }
    Status status = check_feasible(hints, shape, *fabric);
    return status ? check_named_nodes(hints, submission, shape, *fabric) : status;
}

Result<SplitConstraint> take_in(const ym_submission& submission, const Fabric* fabric) {
    for (const auto& [option, value] : {std::pair{"--prefer", submission.prefer},
                                        std::pair{"--batch", submission.batch_features}}) {
        if (Status status = refuse_elsewhere(option, value); !status) {
            return status;
        }
    }
    auto split = split_constraint(text_of(submission.features));
    if (!split || split->hints.empty()) {
        return split;
    }
    if (Status status = check_hints(split->hints, submission, fabric); !status) {
        return status;
    }
    return split;
}

}  // namespace yardmaster
