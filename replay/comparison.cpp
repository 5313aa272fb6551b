#include "replay/comparison.hpp"

#include <algorithm>
#include <utility>

namespace yardmaster {
namespace {

Result<std::unique_ptr<PlacementPolicy>> make_policy(const std::string& name,
                                                     const Fabric& fabric,
                                                     const Placer& placer) {
    if (name == "first-fit") {
        return make_first_fit_policy(fabric);
    }
    if (name == "tree") {
        return make_tree_policy(fabric);
    }
    if (name == "block") {
        return make_block_policy(fabric);
    }
    if (name == "yardmaster") {
        return make_yardmaster_policy(fabric, placer);
    }
    return Status(
        ErrorCode::kInvalidArgument,
        "policy \"" + name + "\" is unknown; there are first-fit, tree, block and yardmaster");
}

void sort_out(const Fabric& fabric, const std::vector<TraceJob>& jobs, Comparison& comparison) {
    for (const TraceJob& job : jobs) {
        const Status status = check_feasible(job.hints, job.shape(), fabric);
        status ? comparison.jobs.push_back(job)
               : comparison.refused.push_back({job, status.message()});
    }
}

}  // namespace

const std::vector<std::string>& policy_names() {
    static const std::vector<std::string> names{"first-fit", "tree", "block", "yardmaster"};
    return names;
}

Result<Comparison> compare_policies(const Fabric& fabric,
                                    const Placer& placer,
                                    const std::vector<TraceJob>& jobs,
                                    const std::vector<std::string>& policies) {
    Comparison comparison;
    sort_out(fabric, jobs, comparison);
    for (const std::string& name : policies) {
        const auto policy = make_policy(name, fabric, placer);
        if (!policy) {
            return policy.status();
        }
        auto schedule = play(fabric, comparison.jobs, **policy);
        if (!schedule) {
            return schedule.status();
        }
        const std::int64_t end = schedule->last_end();
        const bool first = comparison.runs.empty();
        comparison.window = first ? end : std::min(comparison.window, end);
        comparison.runs.push_back({name, std::move(schedule).value(), {}});
    }
    Judge judge(fabric, comparison.jobs, placer);
    for (PolicyRun& run : comparison.runs) {
        run.metrics = judge.judge(run.schedule, comparison.window);
    }
    return comparison;
}

}  // namespace yardmaster
