#include "cli/explain.hpp"

#include "cli/explanation.hpp"
#include "cli/job_nodes.hpp"
#include "cli/site_policy.hpp"

namespace yardmaster::cli {
namespace {

void print(const Explanation& explanation,
           const Fabric* fabric,
           const ExplainOptions& options,
           const Console& console) {
    if (options.json) {
        console.out << explanation_to_json(explanation, fabric).dump() << '\n';
    } else {
        print_explanation(explanation, fabric, console.unicode, console.out);
    }
}

/// --as, checked against the job's size.
Result<Hints> hints_to_judge_by(const ExplainOptions& options, const Explanation& explanation) {
    auto hints = parse_hints(options.as);
    if (!hints) {
        return hints.status().with_context("--as");
    }
    const auto nodes = static_cast<std::uint32_t>(explanation.job.nodes.size());
    const Status status = check_sizes(*hints, {nodes, explanation.gpus_per_node});
    return status ? hints : Result<Hints>(ErrorCode::kInvalidArgument, "--as: " + status.message());
}

}  // namespace

ExitCode run_explain(const ExplainOptions& options, SlurmClient& slurm, const Console& console) {
    const auto job = find_job(options.job, slurm);
    if (!job) {
        return fail(console, job.status());
    }
    Explanation explanation = explain_record(*job);
    if (!explanation.placed()) {
        print(explanation, nullptr, options, console);
        return kExitOk;
    }
    if (!options.as.empty()) {
        const auto hints = hints_to_judge_by(options, explanation);
        if (!hints) {
            return fail(console, hints.status());
        }
        explanation.judge_as(*hints);
    }
    const auto fabric =
        Fabric::load(options.fabric_file.empty() ? default_fabric_file() : options.fabric_file);
    const auto weights = read_site_weights(options.policy_file);
    if (!fabric || !weights) {
        // The record alone is worth showing; that it could not be judged is the exit code's word.
        print(explanation, nullptr, options, console);
        return fail(console, fabric ? weights.status() : fabric.status());
    }
    const auto cluster = slurm.nodes();
    judge_against(*fabric, *weights, cluster ? *cluster : std::vector<SlurmNode>{}, explanation);
    print(explanation, &*fabric, options, console);
    return explanation.given_up.empty() ? kExitOk : kExitFindings;
}

}  // namespace yardmaster::cli
