// The job_submit plugin's hooks and the guard at the C edge.
#include <cstdio>
#include <exception>
#include <memory>
#include <mutex>
#include <utility>

#include "plugin/abi/job_submit_hooks.h"
#include "plugin/common/fabric_source.hpp"
#include "plugin/common/job_hints.hpp"
#include "plugin/common/loaded_fabric.hpp"
#include "plugin/common/log.hpp"
#include "plugin/job_submit/intake.hpp"

namespace yardmaster {
namespace {

/// The fabric in force with its tables, made once for all submissions until the file changes; null:
/// there is none. Thread-safe.
std::shared_ptr<const LoadedFabric> fabric_in_force() {
    static FabricSource source(FabricSource::Tell::kNobody);  // the select plugin does
    static std::mutex mutex;
    static std::shared_ptr<const LoadedFabric> loaded;
    const std::lock_guard lock(mutex);
    auto now = source.current();
    if (now != (loaded ? loaded->owner : nullptr)) {
        // Whether there is a set at all does not hang on the site's weights.
        loaded =
            now ? std::make_shared<const LoadedFabric>(std::move(now), CostWeights{}) : nullptr;
    }
    return loaded;
}

ym_submit_code code_of(const Status& status) {
    switch (status.code()) {
        case ErrorCode::kOk:
            return YM_SUBMIT_OK;
        case ErrorCode::kInfeasible:
            return YM_SUBMIT_IMPOSSIBLE;
        case ErrorCode::kInvalidArgument:
        case ErrorCode::kMalformed:
            return YM_SUBMIT_BAD_HINT;
        default:
            return YM_SUBMIT_ERROR;
    }
}

Status submit(ym_job_desc* desc) {
    // Whatever a user put there, only this plugin's words count.
    ym_desc_set_env(desc, YM_HINTS_ENV, nullptr);
    ym_desc_set_env(desc, YM_NEXT_HINTS_ENV, nullptr);
    ym_submission submission;
    ym_desc_read(desc, &submission);
    const auto fabric = fabric_in_force();
    const auto taken = take_in(submission, fabric.get());
    if (!taken) {
        return taken.status();
    }
    if (taken->hints.empty()) {
        return Status::ok();
    }
    ym_desc_set_features(desc, taken->features.empty() ? nullptr : taken->features.c_str());
    ym_desc_set_env(desc, YM_HINTS_ENV, taken->hints.to_string().c_str());
    return Status::ok();
}

std::uint32_t or_else(std::uint32_t given, std::uint32_t otherwise) {
    return given > 0 ? given : otherwise;
}

const char* or_else(const char* given, const char* otherwise) {
    return given != nullptr ? given : otherwise;
}

bool changes_extent(const ym_submission& change) {
    return change.contiguous || change.spread || change.min_nodes > 0 || change.max_nodes > 0 ||
           change.num_tasks > 0 || change.ntasks_per_node > 0 || change.tres_per_node != nullptr ||
           change.tres_per_job != nullptr || change.tres_per_task != nullptr ||
           change.tres_per_socket != nullptr || change.nodelist != nullptr ||
           change.exclude != nullptr;
}

/// The job as it will be when the update has been made.
ym_submission updated(const ym_job_desc* desc, const ym_job* job) {
    ym_submission change;
    ym_desc_read(desc, &change);
    ym_submission result;
    ym_job_as_submission(job, &result);
    result.features = or_else(change.features, result.features);
    result.prefer = or_else(change.prefer, result.prefer);
    result.min_nodes = or_else(change.min_nodes, result.min_nodes);
    result.max_nodes = or_else(change.max_nodes, result.max_nodes);
    result.num_tasks = or_else(change.num_tasks, result.num_tasks);
    result.ntasks_per_node = or_else(change.ntasks_per_node, result.ntasks_per_node);
    result.tres_per_node = or_else(change.tres_per_node, result.tres_per_node);
    result.tres_per_job = or_else(change.tres_per_job, result.tres_per_job);
    result.tres_per_task = or_else(change.tres_per_task, result.tres_per_task);
    result.tres_per_socket = or_else(change.tres_per_socket, result.tres_per_socket);
    result.nodelist = or_else(change.nodelist, result.nodelist);
    result.exclude = or_else(change.exclude, result.exclude);
    result.contiguous = result.contiguous || change.contiguous;
    result.spread = result.spread || change.spread;
    return result;
}

Status modify(ym_job_desc* desc, ym_job* job) {
    ym_job_info info;
    ym_job_read(job, &info);
    if (!info.pending) {
        return Status::ok();  // Slurm refuses what may not change on a running job
    }
    const auto before = settle_hints(job, &info);
    ym_submission change;
    ym_desc_read(desc, &change);
    const ym_submission after = updated(desc, job);
    const auto in_force = fabric_in_force();
    const LoadedFabric* fabric = in_force.get();
    if (change.features != nullptr || change.prefer != nullptr) {
        const auto taken = take_in(after, fabric);
        if (!taken) {
            return taken.status();
        }
        if (change.features != nullptr) {
            ym_desc_set_features(desc, taken->features.c_str());
            announce_hints(job, taken->hints, taken->features);
            return Status::ok();
        }
    }
    // The hints stay; what they ask of the job's size and nodes may not.
    return before && !before->empty() && changes_extent(change)
               ? check_hints(*before, after, fabric)
               : Status::ok();
}

/// Runs `body`; its refusal becomes `message`, an exception becomes YM_SUBMIT_ERROR.
template <typename Body>
ym_submit_code guarded(char* message, std::size_t size, Body body) noexcept {
    try {
        const Status status = body();
        std::snprintf(message, size, "%s", status.message().c_str());
        return code_of(status);
    } catch (const std::exception& error) {
        std::snprintf(message, size, "yardmaster: internal error: %s", error.what());
        ym_log(YM_LOG_ERROR, message);
    } catch (...) {
        ym_log(YM_LOG_ERROR, "job_submit: internal error of unknown kind");
    }
    return YM_SUBMIT_ERROR;
}

}  // namespace
}  // namespace yardmaster

extern "C" ym_submit_code ym_hook_job_submit(ym_job_desc* desc, char* message, size_t size) {
    return yardmaster::guarded(message, size, [&] { return yardmaster::submit(desc); });
}

extern "C" ym_submit_code ym_hook_job_modify(ym_job_desc* desc,
                                             ym_job* job,
                                             char* message,
                                             size_t size) {
    return yardmaster::guarded(message, size, [&] { return yardmaster::modify(desc, job); });
}
