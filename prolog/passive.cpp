#include "prolog/passive.hpp"

#include <ctime>
#include <numeric>

#include "healthcheck/baseline/state_file.hpp"
#include "healthcheck/budget/collect.hpp"
#include "healthcheck/kept_state.hpp"
#include "prolog/drain.hpp"
#include "prolog/last_passive.hpp"
#include "prolog/log.hpp"
#include "prolog/prolog.hpp"
#include "prolog/record.hpp"
#include "prolog/scope_builder.hpp"
#include "prolog/site_files.hpp"
#include "prolog/soft_report.hpp"

namespace yardmaster {
namespace {

// Shares of the policy's deadline.
constexpr double kConfigShare = 0.15;
constexpr double kChecksShare = 0.65;
constexpr double kFirstRecordShare = 0.75;
constexpr double kDrainShare = 0.9;
constexpr double kRecordShare = 0.95;

class PassiveRun {
  public:
    PassiveRun(JobEnvironment host, HealthPolicy policy, Clock::time_point begin)
        : host_(std::move(host)), policy_(std::move(policy)), begin_(begin) {}

    void run() {
        const auto scope = whole_node();
        if (!scope) {
            log_line(LogLevel::kInfo, host_.node + ": not checked: " + scope.status().message());
            return;
        }
        if (scope->gpus.empty()) {
            return;
        }
        read_last();
        check(*scope);
        if (evidence_.report.verdict == Verdict::kDegraded) {
            act_on_degraded();
        }
        const PassiveConclusion now = conclusion_of(evidence_);
        const bool healthy = evidence_.report.verdict == Verdict::kHealthy;
        const bool tell = !(now == last_) || evidence_.action.outcome == "drained";
        keep_record(
            evidence_, policy_, {tell && !healthy, tell && !healthy, true}, at(kRecordShare));
        keep_conclusion(now);
        report_soft(evidence_, policy_, host_.slurm_conf, at(kRecordShare));
        if (tell) {
            log_line(healthy ? LogLevel::kInfo : LogLevel::kWarning, line());
        }
    }

  private:
    Clock::time_point at(double share) const {
        return begin_ + std::chrono::duration_cast<Clock::duration>(policy_.deadline * share);
    }

    /// Without a fabric file nobody knows what the node ought to have.
    Result<CheckScope> whole_node() const {
        const auto fabric = fabric_beside(host_.slurm_conf, at(kConfigShare));
        if (!fabric) {
            return fabric.status();
        }
        const auto node = fabric->find(host_.node);
        std::vector<unsigned> gpus(node ? fabric->type_of(*node).gpus : 0);
        std::iota(gpus.begin(), gpus.end(), 0U);
        const GpuOrder order = gpu_order_beside(host_.slurm_conf, host_.node, at(kConfigShare));
        CheckScope scope =
            build_scope({host_.node, host_.job, std::move(gpus), false, order}, fabric);
        apply_policy(policy_, scope);
        return scope;
    }

    void check(const CheckScope& scope) {
        CheckSources sources = policy_.sources;
        sources.rdma.mode = CheckMode::kOff;  // jobs may be running: nothing that takes bandwidth
        sources.nccl.mode = CheckMode::kOff;
        evidence_.report = run_checks(scope, sources, at(kChecksShare));
        evidence_.occasion = kOccasionPassive;
        evidence_.time = std::time(nullptr);
        evidence_.version = YM_VERSION;
        evidence_.id = make_evidence_id(host_.node, host_.job, evidence_.time);
    }

    void act_on_degraded() {
        const DrainRequest request = request_drain(evidence_, policy_);
        evidence_.action.outcome = "report-only";
        evidence_.action.why = "the policy says enforce: false";
        if (!policy_.enforce) {
            return;
        }
        if (!last_.out_of_service) {  // the reason must not name a bundle that is not there
            evidence_.action.outcome = "draining";
            evidence_.action.why = "";
            keep_record(evidence_, policy_, {true, false, false}, at(kFirstRecordShare));
        }
        const DrainResult result = drain_node_within(host_.slurm_conf, request, at(kDrainShare));
        evidence_.action = {result.out_of_service, result.outcome, result.why, request.reason};
    }

    std::string line() const {
        switch (evidence_.report.verdict) {
            case Verdict::kHealthy:
                return host_.node + ": healthy again";
            case Verdict::kUnknown:
                return summary_of(evidence_, "unknown");
            case Verdict::kDegraded:
                break;
        }
        return summary_of(evidence_, outcome_of(evidence_.action));
    }

    void read_last() {
        const Task task{"state reader", [&](int fd) {
                            const auto kept = read_state<PassiveConclusion>(
                                policy_.sources.state_dir, kPassiveSubject);
                            write_line(fd, kept.state ? to_json(*kept.state).dump_exact() : "");
                        }};
        const auto lines = run_task(task, at(kConfigShare));
        const auto document = lines && !lines->empty()
                                  ? JsonDocument::parse(lines->front())
                                  : Result<JsonDocument>(ErrorCode::kNotFound, "nothing kept");
        PassiveConclusion last;
        if (document && from_json(document->root(), last)) {
            last_ = last;
        }
    }

    void keep_conclusion(const PassiveConclusion& now) const {
        const bool moved = state_moves(evidence_.report, policy_.sources);
        if (now == last_ && !moved) {
            return;
        }
        const Task task{"state writer", [&](int) {
                            static_cast<void>(write_state(
                                policy_.sources.state_dir, kPassiveSubject, to_json(now)));
                            static_cast<void>(keep_state(evidence_.report, policy_.sources));
                        }};
        static_cast<void>(run_task(task, at(kRecordShare)));
    }

    JobEnvironment host_;
    HealthPolicy policy_;
    Clock::time_point begin_;
    PassiveConclusion last_;
    Evidence evidence_;
};

}  // namespace

int run_passive(const Environment& environment) {
    const Clock::time_point begin = Clock::now();
    auto host = read_node_environment(environment);
    if (!host) {
        log_line(LogLevel::kError, "not checked: " + host.status().message());
        return kExitStart;
    }
    auto policy = policy_beside(host->slurm_conf, host->node, begin + kPolicyReadLimit);
    if (!policy) {
        log_line(LogLevel::kError, "not checked: " + policy.status().message());
        return kExitStart;
    }
    PassiveRun(std::move(host).value(), std::move(policy).value(), begin).run();
    return kExitStart;
}

}  // namespace yardmaster
