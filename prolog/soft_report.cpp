#include "prolog/soft_report.hpp"

#include "healthcheck/baseline/state_file.hpp"
#include "healthcheck/budget/collect.hpp"
#include "prolog/log.hpp"

namespace yardmaster {
namespace {

bool same(const SoftState& a, const SoftState& b) {
    return a.mark == b.mark && a.told == b.told && a.taken == b.taken;
}

/// Runs in the child. The state is kept before slurmctld is asked: a cause comes once, and where no
/// answer comes the next check asks again.
std::string update_soft(const Evidence& evidence,
                        const HealthPolicy& policy,
                        const std::string& slurm_conf) {
    const std::string& folder = policy.sources.state_dir;
    const std::string& node = evidence.report.scope.node;
    const SoftState last = read_state<SoftState>(folder, kSoftSubject).state.value_or(SoftState{});
    SoftState next =
        next_soft_state(last, soft_cause(evidence), evidence.time, policy.soft.clear_after);
    Status kept =
        same(next, last) ? Status::ok() : write_state(folder, kSoftSubject, to_json(next));
    std::string said;
    if (!policy.enforce && next.mark != last.mark) {
        said = next.mark ? "soft-degraded (" + next.mark->cause + "), not told: enforce: false"
                         : "no longer soft-degraded";
    } else if (policy.enforce && wanted_extra(next) != next.told) {
        said = tell_soft(*make_slurm_node_extra(slurm_conf), node, next);
    }
    if (kept && next.told != last.told) {
        kept = write_state(folder, kSoftSubject, to_json(next));
    }
    if (!kept) {
        said += (said.empty() ? "" : "; ") + kept.message();
    }
    return said;
}

}  // namespace

std::string tell_soft(NodeExtra& extra, const std::string& node, SoftState& state) {
    const std::string wanted = wanted_extra(state);
    const auto there = extra.read(node);
    if (!there) {
        return "soft health not told: " + there.status().message();
    }
    const bool taken_before = state.taken;
    state.taken = !there->empty() && !parse_soft_mark(*there);
    if (state.taken) {
        state.told = wanted;  // settled: it is asked again when there is something new to tell
        return taken_before || wanted.empty()
                   ? ""
                   : "soft health not told: the node's Extra is somebody else's: " + *there;
    }
    if (*there != wanted) {
        if (Status status = extra.write(node, wanted); !status) {
            return "soft health not told: " + status.message();
        }
    }
    state.told = wanted;
    return state.mark ? "soft-degraded, told the placer: " + state.mark->cause
                      : "no longer soft-degraded";
}

void report_soft(const Evidence& evidence,
                 const HealthPolicy& policy,
                 const std::string& slurm_conf,
                 Clock::time_point deadline) {
    if (!policy.soft.enable) {
        return;
    }
    const Task task{"soft health writer",
                    [&](int fd) { write_line(fd, update_soft(evidence, policy, slurm_conf)); }};
    const auto lines = run_task(task, deadline);
    const std::string said = !lines           ? "soft health not told: " + lines.status().message()
                             : lines->empty() ? "soft health not told: libslurm gave up"
                                              : lines->front();
    if (!said.empty()) {
        log_line(LogLevel::kWarning, evidence.report.scope.node + ": " + said);
    }
}

}  // namespace yardmaster
