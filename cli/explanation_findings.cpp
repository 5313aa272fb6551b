// What a job's placement gave up, and what its owner or the administrator can do about it.
#include <algorithm>

#include "cli/explanation.hpp"
#include "cli/job_id.hpp"
#include "cli/kind_table.hpp"
#include "cli/node_sets.hpp"
#include "cli/words.hpp"

namespace yardmaster::cli {
namespace {

/// Equal as far as both go: a receipt leaves out the topmost tiers when they would not fit.
bool agree(const std::vector<std::uint32_t>& a, const std::vector<std::uint32_t>& b) {
    const auto common = static_cast<std::ptrdiff_t>(std::min(a.size(), b.size()));
    return std::equal(a.begin(), a.begin() + common, b.begin());
}

bool agree(const PlacementFacts& a, const PlacementFacts& b) {
    return a.tp_groups == b.tp_groups && a.split_tp_groups == b.split_tp_groups &&
           a.nvlink_domains == b.nvlink_domains && a.ring_edges == b.ring_edges &&
           agree(a.units_touched, b.units_touched) &&
           agree(a.ring_edges_leaving, b.ring_edges_leaving);
}

void improve_hints(Explanation& explanation) {
    if (explanation.hints.empty() && explanation.gpus_per_node > 0) {
        explanation.improvements.push_back(
            "say what the job is: --constraint=tp" + std::to_string(explanation.gpus_per_node) +
            " (with &ppN, &cpN, ... as its launcher has them) lets its groups be placed");
    }
    const bool had_hints = explanation.receipt && !explanation.receipt->hints.empty();
    if (explanation.judged_as && !had_hints && !explanation.hints.empty()) {
        explanation.improvements.push_back("submit it with --constraint='" +
                                           explanation.hints.to_string() +
                                           "': then its groups are placed");
    }
    if (explanation.receipt && explanation.receipt->chooser == Receipt::Chooser::kStock) {
        explanation.improvements.push_back(
            "ask the administrator why Slurm placed it alone (slurmctld's log names the job)");
    }
}

std::string ranks_command(const Explanation& explanation) {
    const std::string command = "yardmaster ranks " + job_id_text(explanation.job);
    return explanation.judged_as ? command + " --hints '" + explanation.hints.to_string() + "'"
                                 : command;
}

std::string plan_command(const Explanation& explanation) {
    const std::string hints = explanation.hints.to_string();
    return "yardmaster plan FABRIC -N " + std::to_string(explanation.job.nodes.size()) + " -g " +
           std::to_string(explanation.gpus_per_node) +
           (hints.empty() ? "" : " --hints '" + hints + "'") + " --live --what-if";
}

/// Slurm's order may cut groups that another order of the same nodes keeps whole.
void improve_order(const Fabric& fabric, Explanation& explanation) {
    const Judgement& judgement = *explanation.judgement;
    if (!judgement.ranks || judgement.ranks->given_is_as_good) {
        return;
    }
    const RankPlan& ranks = *judgement.ranks;
    const PlacementFacts ordered =
        describe_set(fabric, ranks.order, explanation.gpus_per_node, explanation.hints);
    std::string gain;
    if (!no_link(judgement.got.facts)) {
        gain += ": a step's communication falls from " + number(ranks.given_time.seconds()) +
                " to " + number(ranks.time.seconds()) + " s";
    }
    if (ordered.split_tp_groups != judgement.got.facts.split_tp_groups) {
        gain += ", split TP groups from " + std::to_string(judgement.got.facts.split_tp_groups) +
                " to " + std::to_string(ordered.split_tp_groups);
    }
    explanation.improvements.push_back("have its launcher follow `" + ranks_command(explanation) +
                                       "` (for srun, Open MPI, torchrun) instead of Slurm's order "
                                       "of its nodes" +
                                       gain);
}

std::uint32_t pods_of(const PlacementFacts& facts) {
    return facts.units_touched.size() > 2 ? facts.units_touched[1] : 0;
}

/// What waiting would give, and how to ask for it.
void improve_choice(Explanation& explanation) {
    if (!explanation.judgement->best) {
        return;
    }
    const PlacementColumn& got = explanation.judgement->got;
    const PlacementColumn& best = *explanation.judgement->best;
    const std::string cheaper = explanation.slowdown() > 1.0005
                                    ? ", with " + number(best.facts.predicted_seconds) +
                                          " s of communication a step instead of " +
                                          number(got.facts.predicted_seconds)
                                    : "";
    if (got.score.separate_fabrics > best.score.separate_fabrics) {
        explanation.improvements.push_back(
            "an empty fabric holds it in one fabric: a hard hint (tpN, leaf) makes it wait for "
            "that");
    } else if (best.score.leaf_groups < got.score.leaf_groups) {
        const std::uint32_t leaves = best.score.leaf_groups;
        const std::string wish =
            leaves == 1 ? "the leaf hint" : "--switches=" + std::to_string(leaves);
        explanation.improvements.push_back("an empty fabric holds it in " +
                                           count_of(leaves, "leaf group") + " instead of " +
                                           std::to_string(got.score.leaf_groups) + cheaper + ": " +
                                           wish + " makes it wait for that");
    } else if (pods_of(best.facts) < pods_of(got.facts)) {
        explanation.improvements.push_back("an empty fabric holds it in " +
                                           count_of(pods_of(best.facts), "pod") + " instead of " +
                                           std::to_string(pods_of(got.facts)) + cheaper);
    } else if (!cheaper.empty() && best.score.comm_cost < got.score.comm_cost) {
        explanation.improvements.push_back("an empty fabric holds it" + cheaper);
    } else {
        return;
    }
    explanation.improvements.push_back("`" + plan_command(explanation) +
                                       "` tells which jobs hold a better set");
}

/// Stock takes sets for its own reasons: memory, cores, features, topology.
void note_refused(Explanation& explanation) {
    const double times = explanation.slowdown_then();
    if (times > 1.001 && explanation.receipt->rank > 0) {
        explanation.given_up.push_back("the best set that was free, which Slurm refused: " +
                                       number(explanation.receipt->best_seconds) +
                                       " s of communication a step instead of " +
                                       number(explanation.receipt->seconds));
    }
}

}  // namespace

void add_findings(const Fabric& fabric, Explanation& explanation) {
    const PlacementFacts& facts = explanation.judgement->got.facts;
    if (no_link(facts)) {
        explanation.given_up.push_back(
            facts.separate_fabrics()
                ? "its nodes lie in " + count_of(facts.units_touched.back(), "separate fabric") +
                      ": no link joins them"
                : "the fabric file has no switch between its NVLink domains");
    }
    note_refused(explanation);
    if (facts.split_tp_groups > 0) {
        explanation.given_up.push_back(std::to_string(facts.split_tp_groups) + " of " +
                                       count_of(facts.tp_groups, "TP group") +
                                       " lie in more than one NVLink domain");
    }
    if (explanation.receipt && !explanation.judged_as && explanation.unknown_nodes.empty() &&
        !agree(explanation.receipt->facts, facts)) {
        explanation.given_up.push_back(
            "the receipt's facts differ from the fabric file's: the file, or the order of Slurm's "
            "nodes, has changed since the job began");
    }
    improve_hints(explanation);
    improve_order(fabric, explanation);
    improve_choice(explanation);
}

}  // namespace yardmaster::cli
