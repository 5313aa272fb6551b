#include "prolog/prolog.hpp"

#include <algorithm>
#include <ctime>
#include <functional>

#include "healthcheck/budget/collect.hpp"
#include "healthcheck/checks.hpp"
#include "healthcheck/evidence.hpp"
#include "healthcheck/rdma/rdma_task.hpp"
#include "healthcheck/reason.hpp"
#include "prolog/config_file.hpp"
#include "prolog/drain.hpp"
#include "prolog/log.hpp"
#include "prolog/policy.hpp"
#include "prolog/scope_builder.hpp"
#include "prolog/soft_report.hpp"

namespace yardmaster {
namespace {

// Shares of the policy's deadline. What remains after the drain is for the evidence and the exit.
constexpr double kConfigShare = 0.15;
constexpr double kChecksShare = 0.65;
constexpr double kDrainShare = 0.85;
constexpr double kGiveBackShare = 0.92;
constexpr double kEvidenceShare = 0.97;
constexpr double kFirstEvidenceShare = 0.07;

/// The policy says how much time there is, but its own file may hang.
constexpr std::chrono::milliseconds kPolicyReadLimit{1000};

/// A hung state folder may hold a healthy job no longer than this.
constexpr std::chrono::milliseconds kStateWriteLimit{500};

class PrologRun {
  public:
    PrologRun(JobEnvironment job, HealthPolicy policy, Clock::time_point begin)
        : job_(std::move(job)), policy_(std::move(policy)), begin_(begin) {}

    int run() {
        evidence_.report = run_checks(scope(), policy_.sources, at(kChecksShare));
        evidence_.time = std::time(nullptr);
        evidence_.version = YM_VERSION;
        evidence_.id = make_evidence_id(job_.node, job_.job, evidence_.time);
        keep_rdma_baseline();
        switch (evidence_.report.verdict) {
            case Verdict::kHealthy:
                keep_baseline();
                return kExitStart;
            case Verdict::kUnknown:
                keep_evidence(at(kEvidenceShare));
                keep_baseline();
                log_line(LogLevel::kWarning, summary("unknown, job starts"));
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
        const std::string file = config_folder(job_.slurm_conf) + "/fabric.json";
        const auto text = read_config_file(file, at(kConfigShare));
        const Result<Fabric> fabric =
            text ? Fabric::parse(*text, file) : Result<Fabric>(text.status());
        CheckScope scope = build_scope({job_.node, job_.job, job_.gpus, job_.mig}, fabric);
        apply_policy(policy_, scope);
        return scope;
    }

    bool simulated() const { return !evidence_.report.readings.simulated.empty(); }

    std::string summary(const std::string& outcome) const {
        const Finding* finding = primary(evidence_.report.findings);
        const std::size_t count = evidence_.report.findings.size();
        std::string text = job_.node + " job " + std::to_string(job_.job) + ": " + outcome;
        text += finding != nullptr ? ": " + sentence_of(*finding) : "";
        text += count > 1 ? " (+" + std::to_string(count - 1) + " more findings)" : "";
        return text + "; evidence " + evidence_.id + (simulated() ? "; SIMULATED hardware" : "");
    }

    /// A full disk or a hung file system costs the evidence, never the verdict.
    void keep_evidence(Clock::time_point deadline) const {
        const Task task{"evidence writer", [&](int fd) {
                            const Status status = write_evidence(evidence_, policy_.evidence_dir);
                            write_line(fd, status ? "" : status.message());
                        }};
        const auto lines = run_task(task, deadline);
        const std::string error = !lines           ? lines.status().message()
                                  : lines->empty() ? "evidence writer died"
                                                   : lines->front();
        if (!error.empty()) {
            log_line(LogLevel::kWarning, "evidence " + evidence_.id + " not kept: " + error);
        }
    }

    /// Without it the next check compares with older readings, or with none: no reason to wait
    /// long.
    void keep_state(const char* writer, const std::function<Status()>& keep) const {
        const Task task{writer, [&](int) { static_cast<void>(keep()); }};
        static_cast<void>(
            run_task(task, std::min(at(kEvidenceShare), Clock::now() + kStateWriteLimit)));
    }

    void keep_baseline() const {
        if (counters_moved(evidence_.report)) {
            keep_state("state writer",
                       [&] { return keep_counters(evidence_.report, policy_.sources); });
        }
    }

    void keep_rdma_baseline() const {
        const RdmaReading& rdma = evidence_.report.readings.rdma;
        if (!rdma.pairs.empty()) {
            keep_state("RDMA state writer", [&] { return keep_rdma(rdma, policy_.sources); });
        }
    }

    DrainRequest drain_request() {
        const Finding& finding = *primary(evidence_.report.findings);
        DrainReason reason;
        reason.cause = cause_of(finding);
        reason.job = job_.job;
        reason.evidence_id = evidence_.id;
        reason.simulated = simulated();
        reason.detail = sentence_of(finding);
        evidence_.action.reason = format_reason(reason);
        return {job_.node,
                evidence_.action.reason,
                reason.cause,
                job_.job,
                job_.restart_count,
                policy_.breaker,
                evidence_.time};
    }

    int act_on_degraded() {
        const DrainRequest request = drain_request();
        evidence_.action.outcome = "report-only";
        evidence_.action.why = "the policy says enforce: false";
        bool refuse = false;
        if (policy_.enforce) {
            evidence_.action.outcome = "draining";
            evidence_.action.why = "";
            keep_evidence(Clock::now() + (at(kFirstEvidenceShare) - begin_));
            const DrainResult result = drain_node_within(job_.slurm_conf, request, at(kDrainShare));
            refuse = result.out_of_service;
            evidence_.action = {refuse, result.outcome, result.why, request.reason};
        }
        const int status = refuse ? give_job_back(request) : kExitStart;
        keep_evidence(at(kEvidenceShare));
        keep_baseline();
        log_outcome();
        return status;
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

    void log_outcome() const {
        const Action& action = evidence_.action;
        std::string text = "degraded, " + action.outcome;
        text += action.why.empty() ? "" : " (" + action.why + ")";
        text += action.enforced ? "" : ", job starts";
        log_line(LogLevel::kError, summary(text));
    }

    JobEnvironment job_;
    HealthPolicy policy_;
    Clock::time_point begin_;
    Evidence evidence_;
};

Result<HealthPolicy> read_policy(const JobEnvironment& job, Clock::time_point deadline) {
    const std::string file = config_folder(job.slurm_conf) + "/yardmaster.json";
    const auto text = read_config_file(file, deadline);
    if (text) {
        return parse_policy(*text, file, job.node);
    }
    return text.status().code() == ErrorCode::kNotFound ? Result<HealthPolicy>(default_policy())
                                                        : text.status();
}

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
    // Never act by a policy that could not be read: it might have said report-only, or where to
    // look.
    auto policy = read_policy(*job, begin + kPolicyReadLimit);
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
