#include "prolog/prolog.hpp"

#include <algorithm>
#include <ctime>

#include "healthcheck/budget/collect.hpp"
#include "healthcheck/checks.hpp"
#include "healthcheck/evidence.hpp"
#include "healthcheck/kept_state.hpp"
#include "prolog/drain.hpp"
#include "prolog/job_nodes.hpp"
#include "prolog/log.hpp"
#include "prolog/policy.hpp"
#include "prolog/record.hpp"
#include "prolog/scope_builder.hpp"
#include "prolog/site_files.hpp"
#include "prolog/soft_report.hpp"

namespace yardmaster {
namespace {

// Shares of the policy's deadline. What remains after the drain is for the evidence and the exit.
constexpr double kConfigShare = 0.15;
constexpr double kChecksShare = 0.65;
constexpr double kDrainShare = 0.85;
constexpr double kGiveBackShare = 0.92;
constexpr double kEvidenceShare = 0.95;
constexpr double kFirstEvidenceShare = 0.07;

/// A hung state folder may hold a healthy job no longer than this.
constexpr std::chrono::milliseconds kStateWriteLimit{500};

class PrologRun {
  public:
    PrologRun(JobEnvironment job, HealthPolicy policy, Clock::time_point begin)
        : job_(std::move(job)), policy_(std::move(policy)), begin_(begin) {}

    int run() {
        policy_.sources.job_nodes =
            read_job_nodes(job_, policy_.sources.crossnode, at(kConfigShare));
        evidence_.report = run_checks(scope(), policy_.sources, at(kChecksShare));
        evidence_.time = std::time(nullptr);
        evidence_.version = YM_VERSION;
        evidence_.id = make_evidence_id(job_.node, job_.job, evidence_.time);
        switch (evidence_.report.verdict) {
            case Verdict::kHealthy:
                keep_state_of_run();
                keep_record(evidence_, policy_, {false, false, true}, soon());
                return kExitStart;
            case Verdict::kUnknown:
                keep_record(evidence_, policy_, {true, true, true}, at(kEvidenceShare));
                keep_state_of_run();
                log_line(LogLevel::kWarning, summary_of(evidence_, "unknown, job starts"));
                return kExitStart;
            case Verdict::kDegraded:
                break;
        }
        return act_on_degraded();
    }

    /// Once the verdict is carried out: what did not drain the node is told the placer.
    void tell_placer() const {
        report_soft(evidence_,
                    policy_,
                    job_.slurm_conf,
                    std::min(at(kEvidenceShare), Clock::now() + kStateWriteLimit));
    }

  private:
    Clock::time_point at(double share) const {
        return begin_ + std::chrono::duration_cast<Clock::duration>(policy_.deadline * share);
    }

    CheckScope scope() const {
        const auto fabric = fabric_beside(job_.slurm_conf, at(kConfigShare));
        const GpuOrder order = gpu_order_beside(job_.slurm_conf, job_.node, at(kConfigShare));
        CheckScope scope = build_scope({job_.node, job_.job, job_.gpus, job_.mig, order}, fabric);
        apply_policy(policy_, scope);
        return scope;
    }

    /// When a healthy job has waited long enough for a file system.
    Clock::time_point soon() const {
        return std::min(at(kEvidenceShare), Clock::now() + kStateWriteLimit);
    }

    /// Without it the next check compares with older state, or with none: no reason to wait long.
    void keep_state_of_run() const {
        if (!state_moves(evidence_.report, policy_.sources)) {
            return;
        }
        const Task task{"state writer", [&](int fd) {
                            const Status status = keep_state(evidence_.report, policy_.sources);
                            write_line(fd, status ? "" : status.message());
                        }};
        const auto lines = run_task(task, soon());
        const std::string error = !lines           ? lines.status().message()
                                  : lines->empty() ? "its writer died"
                                                   : lines->front();
        if (!error.empty()) {
            log_line(LogLevel::kWarning, job_.node + ": state not kept: " + error);
        }
    }

    int act_on_degraded() {
        DrainRequest request = request_drain(evidence_, policy_);
        request.restart_count = job_.restart_count;
        evidence_.action.outcome = "report-only";
        evidence_.action.why = "the policy says enforce: false";
        bool refuse = false;
        if (policy_.enforce) {
            evidence_.action.outcome = "draining";
            evidence_.action.why = "";
            const Clock::duration share = at(kFirstEvidenceShare) - begin_;
            keep_record(evidence_, policy_, {true, false, false}, Clock::now() + share);
            const DrainResult result = drain_node_within(job_.slurm_conf, request, at(kDrainShare));
            refuse = result.out_of_service;
            evidence_.action = {refuse, result.outcome, result.why, request.reason};
        }
        const int status = refuse ? give_job_back(request) : kExitStart;
        keep_record(evidence_, policy_, {true, true, true}, at(kEvidenceShare));
        keep_state_of_run();
        log_line(LogLevel::kError, summary_of(evidence_, outcome()));
        return status;
    }

    std::string outcome() const {
        const Action& action = evidence_.action;
        return outcome_of(action) + (action.enforced ? "" : ", job starts") +
               (policy_.enforce ? "" : "; it would drain the node as \"" + action.reason + "\"");
    }

    /// The exit status that keeps the job from starting here. With a failure slurmd would go on
    /// cancelling a job that is cancelled already, every 15 s, and drain the node again each time.
    int give_job_back(const DrainRequest& request) const {
        const std::string note =
            job_.node + " was drained before the job started: " + request.cause;
        const auto given = give_back_within(job_.slurm_conf, job_.job, note, at(kGiveBackShare));
        if (!given) {
            log_line(
                LogLevel::kWarning,
                "job " + std::to_string(job_.job) + " left to slurmd: " + given.status().message());
            return kExitRefuse;
        }
        return *given == GivenBack::kCancelled ? kExitStart : kExitRefuse;
    }

    JobEnvironment job_;
    HealthPolicy policy_;
    Clock::time_point begin_;
    Evidence evidence_;
};

}  // namespace

int run_prolog(const Environment& environment) {
    const Clock::time_point begin = Clock::now();
    if (!has_gpus(environment)) {
        return kExitStart;
    }
    auto job = read_environment(environment);
    if (!job) {
        log_line(LogLevel::kError, "not checked, job starts: " + job.status().message());
        return kExitStart;
    }
    auto policy = policy_beside(job->slurm_conf, job->node, begin + kPolicyReadLimit);
    if (!policy) {
        log_line(LogLevel::kError, "not checked, job starts: " + policy.status().message());
        return kExitStart;
    }
    PrologRun run(std::move(job).value(), std::move(policy).value(), begin);
    const int status = run.run();
    run.tell_placer();
    return status;
}

}  // namespace yardmaster
