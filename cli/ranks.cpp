#include "cli/ranks.hpp"

#include <algorithm>
#include <utility>

#include "cli/job_id.hpp"
#include "cli/job_nodes.hpp"
#include "cli/node_sets.hpp"
#include "cli/output_file.hpp"
#include "cli/ranks_report.hpp"
#include "cli/site_policy.hpp"
#include "topology/receipt.hpp"

namespace yardmaster::cli {
namespace {

/// What is to be ranked.
struct Subject {
    std::string title;
    std::vector<std::string> nodes;  ///< in Slurm's order; empty: to be sorted by name
    std::uint32_t gpus_per_node = 0;
    Hints hints;
};

/// The hints of a job that runs: its receipt has them.
Result<Hints> hints_of(const SlurmJob& job, const Console& console) {
    const auto receipt = parse_receipt(job.admin_comment);
    if (receipt) {
        return receipt->hints;
    }
    if (receipt.status().code() != ErrorCode::kNotFound) {
        return receipt.status().with_context("job " + job_id_text(job));
    }
    console.err
        << "yardmaster: job " << job_id_text(job)
        << ": its hints are not known, as its AdminComment is no receipt; --hints gives them\n";
    return Hints{};
}

Result<Subject> subject_of_job(const RanksOptions& options,
                               SlurmClient& slurm,
                               const Console& console) {
    const auto job = find_job(options.job, slurm);
    if (!job) {
        return job.status();
    }
    if (job->nodes.empty()) {
        return Status(ErrorCode::kUnavailable,
                      "job " + job_id_text(*job) + " is " + job->state +
                          " and has no nodes; ask again when it runs");
    }
    if (job->uneven_gpus) {
        return Status(ErrorCode::kUnavailable,
                      "job " + job_id_text(*job) +
                          " has different numbers of GPUs on its nodes, and ranks need the same "
                          "number on each; ask for them with --gpus-per-node");
    }
    const auto cluster = slurm.nodes();
    const auto hints = options.hints ? parse_hints(*options.hints) : hints_of(*job, console);
    if (!cluster || !hints) {
        return cluster ? hints.status() : cluster.status();
    }
    Subject subject{"job " + job_id_text(*job), job->nodes, job->gpus_per_node, *hints};
    sort_as_in_table(*cluster, subject.nodes);
    return subject;
}

/// In Slurm's order when no topology plugin ranks nodes.
Result<std::vector<NodeIndex>> nodes_on_paper(const Fabric& fabric, const std::string& expression) {
    auto nodes = nodes_from_expression(fabric, expression, "--nodes");
    if (!nodes) {
        return nodes;
    }
    const auto order = in_name_order(fabric, std::move(nodes).value());
    const auto twice = std::adjacent_find(order.begin(), order.end());
    if (order.empty() || twice != order.end()) {
        return Status(ErrorCode::kInvalidArgument,
                      order.empty()
                          ? "--nodes: the list is empty"
                          : "--nodes: " + fabric.node(*twice).name + " stands there twice");
    }
    return order;
}

Result<std::vector<NodeIndex>> nodes_of(const Fabric& fabric,
                                        const Subject& subject,
                                        const RanksOptions& options) {
    if (subject.nodes.empty()) {
        return nodes_on_paper(fabric, options.nodes);
    }
    std::vector<NodeIndex> nodes;
    for (const std::string& name : subject.nodes) {
        const auto node = fabric.find(name);
        if (!node) {
            return Status(ErrorCode::kNotFound,
                          subject.title + ": the fabric file has no node " + name);
        }
        nodes.push_back(*node);
    }
    return nodes;
}

Result<Subject> subject_on_paper(const RanksOptions& options) {
    const auto hints = parse_hints(options.hints.value_or(""));
    if (!hints) {
        return hints.status().with_context("--hints");
    }
    return Subject{options.nodes, {}, options.gpus_per_node, *hints};
}

Result<RanksReport> make_report(const RanksOptions& options,
                                SlurmClient* slurm,
                                const Console& console) {
    auto subject =
        slurm == nullptr ? subject_on_paper(options) : subject_of_job(options, *slurm, console);
    if (!subject) {
        return subject.status();
    }
    const auto fabric =
        Fabric::load(options.fabric_file.empty() ? default_fabric_file() : options.fabric_file);
    if (!fabric) {
        return fabric.status();
    }
    const auto weights = read_site_weights(options.policy_file);
    if (!weights) {
        return weights.status();
    }
    const auto nodes = nodes_of(*fabric, *subject, options);
    if (!nodes) {
        return nodes.status();
    }
    const auto gpus = options.gpus_per_node > 0 ? options.gpus_per_node : subject->gpus_per_node;
    auto report = report_ranks(*fabric, *weights, *nodes, gpus, subject->hints);
    if (report) {
        report.value().title = subject->title;
    }
    return report;
}

}  // namespace

ExitCode run_ranks(const RanksOptions& options, SlurmClient* slurm, const Console& console) {
    const auto report = make_report(options, slurm, console);
    if (!report) {
        return fail(console, report.status());
    }
    const auto text = options.json ? Result<std::string>(ranks_to_json(*report).dump() + "\n")
                                   : format_ranks(*report, options);
    const Status written = text ? write_output(options.output, *text, console) : text.status();
    if (!written) {
        return fail(console, written);
    }
    if (report->split_tp_groups == 0) {
        return kExitOk;
    }
    console.err << "yardmaster: " << report->split_tp_groups << " of " << report->tp_groups
                << " TP groups lie in more than one NVLink domain, in the best order found\n";
    return kExitFindings;
}

}  // namespace yardmaster::cli
