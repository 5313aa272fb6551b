#include <utility>

#include "cli/explanation.hpp"
#include "cli/job_id.hpp"
#include "cli/kind_table.hpp"
#include "cli/node_sets.hpp"
#include "cli/picture_text.hpp"
#include "cli/table.hpp"
#include "cli/weights_text.hpp"
#include "cli/words.hpp"
#include "topology/gpu_list.hpp"

namespace yardmaster::cli {
namespace {

/// More split groups than this are only counted.
constexpr std::size_t kMaxSplitShown = 8;

void print_head(const SlurmJob& job, std::ostream& out) {
    out << "Job " << job_id_text(job) << " \"" << job.name << "\" of " << user_name(job.uid)
        << " in partition " << job.partition << ": " << job.state;
    if (job.phase == SlurmJob::Phase::kRunning && job.start_time != 0) {
        out << " since " << time_text(job.start_time);
    }
    out << '\n';
}

std::string size_text(std::size_t nodes, const Explanation& explanation) {
    const std::string text = count_of(nodes, "node");
    const std::uint32_t gpus = explanation.gpus_per_node;
    return gpus > 0 ? text + " x " + count_of(gpus, "GPU") : text + " without GPUs";
}

void print_pending(const Explanation& explanation, std::ostream& out) {
    const SlurmJob& job = explanation.job;
    out << "It has not been placed: it wants " << size_text(job.num_nodes, explanation)
        << ".\nWaits for: " << job.reason << "\nExpected start: "
        << (job.start_time != 0 ? time_text(job.start_time) : "not known yet")
        << "\nHints: Slurm does not show a pending job's hints; they are in its receipt once it "
           "begins.\n";
}

std::string chooser_text(const Receipt& receipt) {
    if (receipt.chooser == Receipt::Chooser::kStock) {
        return "Slurm alone";
    }
    if (receipt.rank == 0) {
        return "Yardmaster, its first choice";
    }
    return "Yardmaster, after Slurm had refused " + count_of(receipt.rank, "better set");
}

std::string hints_text(const Hints& hints) {
    return hints.empty() ? "none" : hints.to_string();
}

void print_origin(const Explanation& explanation, std::ostream& out) {
    out << "Nodes: " << host_expression(explanation.job.nodes) << " ("
        << size_text(explanation.job.nodes.size(), explanation) << ")\n";
    if (!explanation.receipt) {
        out << "Chosen by: not known; " << explanation.receipt_problem << '\n';
    } else {
        out << "Chosen by: " << chooser_text(*explanation.receipt)
            << "\nHints: " << hints_text(explanation.receipt->hints) << '\n';
        if (explanation.receipt->soft_left > 0) {
            out << "Left aside: " << count_of(explanation.receipt->soft_left, "free node")
                << " that were soft-degraded (`yardmaster fabric status`)\n";
        }
        if (explanation.receipt->gpus != 0) {
            out << "GPUs of every node: " << format_gpu_list(explanation.receipt->gpus)
                << ", chosen by index for its rails\n";
        }
    }
    if (explanation.judged_as) {
        out << "Judged as if its hints were: " << hints_text(explanation.hints) << '\n';
    }
}

/// By which weights it was placed and is judged, unless both are the defaults.
void print_weights_used(const Explanation& explanation, std::ostream& out) {
    const auto& receipt = explanation.receipt;
    // Stock's receipts say nothing of weights where the placer had no part in it.
    const bool known =
        receipt && (receipt->chooser == Receipt::Chooser::kYardmaster || !receipt->weights.empty());
    const std::string placed_by = !known || receipt->weights.empty()
                                      ? "the defaults"
                                      : receipt->weights + " (slurmctld's log names them)";
    if (!explanation.judgement) {
        out << (known && !receipt->weights.empty() ? "Weights: placed by " + placed_by + "\n" : "");
        return;
    }
    const CostWeights& judged_by = explanation.judgement->weights;
    if (!known || receipt->weights == weights_mark(judged_by)) {
        print_weights(judged_by, out);
        return;
    }
    out << "Weights: placed by " << placed_by << ", judged by " << weights_text(judged_by) << '\n';
}

void print_split(const Fabric& fabric, const std::vector<SplitGroup>& split, std::ostream& out) {
    if (split.empty()) {
        return;
    }
    out << "\nSplit TP groups:\n";
    for (std::size_t i = 0; i < split.size() && i < kMaxSplitShown; ++i) {
        out << "  group " << split[i].group << ": "
            << host_expression(node_names(fabric, split[i].nodes)) << " in domains "
            << join(split[i].domains) << '\n';
    }
    if (split.size() > kMaxSplitShown) {
        out << "  and " << split.size() - kMaxSplitShown << " more\n";
    }
}

std::string times_text(double times) {
    // Receipts keep four digits.
    return times < 1.001 ? "no faster" : "this job takes " + number(times) + " times as long";
}

/// Predicted communication beside the best of then and the best there can be.
void print_times(const Explanation& explanation, std::ostream& out) {
    const Judgement& judgement = *explanation.judgement;
    if (no_link(judgement.got.facts)) {
        out << "No link joins all of its nodes, so no time of a step can be told.\n";
        return;
    }
    if (explanation.slowdown() <= 0) {
        return;
    }
    out << "\nPredicted communication of one step:\n";
    Table table({"", "", ""});
    table.add({"  this job", number(judgement.got.facts.predicted_seconds) + " s"});
    if (const double times = explanation.slowdown_then(); times > 0) {
        table.add({"  best of what was free at its start",
                   number(explanation.receipt->best_seconds) + " s",
                   times_text(times)});
    }
    table.add({"  best on an empty fabric",
               number(judgement.best->facts.predicted_seconds) + " s",
               times_text(explanation.slowdown())});
    table.print(out);
}

std::string verdict_text(const Judgement& judgement) {
    if (const auto why = deciding_criterion(judgement.best->score, judgement.got.score)) {
        return "Behind the best possible by " + *why;
    }
    return judgement.ranks && !judgement.ranks->given_is_as_good
               ? "As good a set of nodes as this fabric allows, in a worse order"
               : "As good as this fabric allows";
}

void print_verdict(const Explanation& explanation, std::ostream& out) {
    const Judgement& judgement = *explanation.judgement;
    if (!judgement.best) {
        out << "\nThe placer finds no set of nodes for such a job even on an empty fabric.\n";
        return;
    }
    out << '\n' << verdict_text(judgement) << ".\n";
    print_times(explanation, out);
}

void print_judgement(const Explanation& explanation,
                     const Fabric& fabric,
                     bool unicode,
                     std::ostream& out) {
    const Judgement& judgement = *explanation.judgement;
    out << '\n';
    draw_text(make_picture(fabric, judgement.states), {unicode}, out);
    out << '\n';
    print_groups(fabric, judgement.got.nodes, out);
    out << '\n';
    print_kinds(judgement.got.facts, tiers_worth_showing(judgement.got.facts), out);
    std::vector<PlacementColumn> columns{judgement.got};
    if (judgement.best) {
        columns.push_back(*judgement.best);
    }
    print_columns(columns, out);
    print_split(fabric, judgement.split, out);
    print_verdict(explanation, out);
}

void print_list(const char* title, const std::vector<std::string>& items, std::ostream& out) {
    if (items.empty()) {
        return;
    }
    out << '\n' << title << '\n';
    for (const std::string& item : items) {
        out << "  - " << item << '\n';
    }
}

}  // namespace

void print_explanation(const Explanation& explanation,
                       const Fabric* fabric,
                       bool unicode,
                       std::ostream& out) {
    print_head(explanation.job, out);
    if (!explanation.placed()) {
        print_pending(explanation, out);
        return;
    }
    print_origin(explanation, out);
    print_weights_used(explanation, out);
    if (!explanation.unknown_nodes.empty()) {
        out << "Not in the fabric file: " << host_expression(explanation.unknown_nodes) << '\n';
    }
    if (fabric != nullptr && explanation.judgement) {
        print_judgement(explanation, *fabric, unicode, out);
    }
    print_list("Links in doubt now:", explanation.soft_degraded, out);
    print_list("Given up:", explanation.given_up, out);
    print_list("What would improve it:", explanation.improvements, out);
}

}  // namespace yardmaster::cli
