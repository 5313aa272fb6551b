#include "plugin/job_submit/intake.hpp"

#include <algorithm>
#include <vector>

#include "plugin/abi/gpu_marks.h"
#include "plugin/common/gpu_request.hpp"
#include "plugin/job_submit/named_nodes.hpp"

namespace yardmaster {
namespace {

std::string_view text_of(const char* text) {
    return text == nullptr ? "" : text;
}

/// Entries for GPUs: more than one when several types are asked for.
std::uint32_t gpu_entries(const ym_submission& submission) {
    std::uint32_t entries = 0;
    for (const char* tres :
         {submission.tres_per_node, submission.tres_per_job, submission.tres_per_task}) {
        entries = std::max(entries, gpu_entries_in(text_of(tres)));
    }
    return entries;
}

std::uint32_t gpus(const char* tres) {
    return gpus_in(text_of(tres)).value_or(0);
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

Status invalid(const Hints& hints, const std::string& why) {
    return {ErrorCode::kInvalidArgument, hints.to_string() + ": " + why};
}

/// Whether hard hints can be kept for a job that asks in this way.
Status check_request(const Hints& hints, const ym_submission& submission, const JobSize& size) {
    const bool needs_gpus = hints.rail || (hints.tp && *hints.tp > 1);
    if (needs_gpus && !size.asks_for_gpus()) {
        return invalid(hints,
                       "needs the number of GPUs; add --gpus-per-node (--gpus-per-socket does not "
                       "tell it)");
    }
    if (submission.contiguous || submission.spread) {
        return invalid(hints, "cannot be combined with --contiguous or --spread-job");
    }
    if (text_of(submission.features).find('*') != std::string_view::npos) {
        return invalid(hints,
                       "cannot be combined with node counts in --constraint (\"*N\"); submit a "
                       "heterogeneous job with one component for each kind of node");
    }
    return Status::ok();
}

bool takes_whole_nodes(const ym_submission& submission,
                       const std::vector<JobShape>& shapes,
                       const Fabric& fabric) {
    return submission.whole_node ||
           std::any_of(shapes.begin(), shapes.end(), [&](const auto& shape) {
               return std::any_of(
                   fabric.types().begin(), fabric.types().end(), [&](const auto& type) {
                       return type.gpus == shape.gpus_per_node;
                   });
           });
}

/// `rail`, and hard hints of a job whose GPUs only we deal out evenly, are kept by choosing GPUs by
/// index, unless the job takes every GPU of its nodes.
Status check_indices(const Hints& hints,
                     const ym_submission& submission,
                     const JobSize& size,
                     const std::vector<JobShape>& shapes,
                     const Fabric& fabric) {
    const bool even = size.gpus_per_node > 0 ||
                      (size.gpus_per_task > 0 && size.tasks_per_node > 0) ||
                      (size.nodes_fixed() && size.min_nodes == 1);
    const bool by_index = hints.rail || (hints.tp && *hints.tp > 1 && !even);
    if (!by_index || takes_whole_nodes(submission, shapes, fabric)) {
        return Status::ok();
    }
    const std::string whole = "ask for every GPU of each node, or for --exclusive";
    if (gpus(submission.tres_per_socket) > 0) {
        return invalid(hints, "cannot be kept with --gpus-per-socket on part of a node; " + whole);
    }
    if (gpu_entries(submission) > 1) {
        return invalid(hints,
                       "cannot be kept for several types of GPUs on part of a node; " + whole);
    }
    if (ym_gpus_lack_indices()) {
        return {
            ErrorCode::kInfeasible,
            hints.to_string() +
                ": GPUs have no indices here (gres.conf without File=), so which ones a job gets "
                "cannot be chosen; " +
                whole};
    }
    return Status::ok();
}

/// check_named_nodes for a job that may have any of `shapes`: the last one's answer where none will
/// do.
Status check_names(const Hints& hints,
                   const ym_submission& submission,
                   const std::vector<JobShape>& shapes,
                   const LoadedFabric& fabric) {
    Status status = Status::ok();
    for (const JobShape& shape : shapes) {
        status = check_named_nodes(hints, submission, shape, fabric);
        if (status) {
            break;
        }
    }
    return status;
}

Status check_hard(const Hints& hints, const ym_submission& submission, const LoadedFabric* loaded) {
    const JobSize size = size_of(submission);
    if (Status status = check_request(hints, submission, size); !status || loaded == nullptr) {
        return status;
    }
    const Fabric& fabric = loaded->fabric;
    const auto shapes = shapes_of(size, hints, fabric);
    if (!shapes) {
        return shapes.status();
    }
    Status status = check_indices(hints, submission, size, *shapes, fabric);
    return status ? check_names(hints, submission, *shapes, *loaded) : status;
}

}  // namespace

JobSize size_of(const ym_submission& submission) {
    JobSize size;
    size.min_nodes = submission.min_nodes;
    size.max_nodes = submission.max_nodes;
    size.as_many_as_possible = size.max_nodes > size.min_nodes;
    size.gpus_per_node = gpus(submission.tres_per_node);
    size.gpus = gpus(submission.tres_per_job);
    size.gpus_per_task = gpus(submission.tres_per_task);
    size.tasks = submission.num_tasks;
    size.tasks_per_node = submission.ntasks_per_node;
    return size;
}

JobShape shape_of(const ym_submission& submission) {
    const JobSize size = size_of(submission);
    const std::uint32_t nodes = size.nodes_fixed() ? size.min_nodes : 0;
    return {nodes, even_gpus(size, nodes)};
}

Status check_hints(const Hints& hints,
                   const ym_submission& submission,
                   const LoadedFabric* fabric) {
    if (hints.hard()) {
        return check_hard(hints, submission, fabric);
    }
    return fabric == nullptr ? Status::ok()
                             : check_feasible(hints, shape_of(submission), fabric->fabric);
}

Result<SplitConstraint> take_in(const ym_submission& submission, const LoadedFabric* fabric) {
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
