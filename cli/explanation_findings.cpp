// What a job's placement gave up, and what its owner or the administrator can do about it.
#include <algorithm>

#include "cli/explanation.hpp"
#include "cli/job_id.hpp"
#include "cli/node_sets.hpp"
#include "cli/words.hpp"

namespace yardmaster::cli {
namespace {

std::uint32_t edges_leaving_leaves(const PlacementFacts& facts) {
    return facts.ring_edges_leaving.empty() ? 0 : facts.ring_edges_leaving[0];
}

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
    if (explanation.receipt && explanation.receipt->chooser == Receipt::Chooser::kStock) {
        explanation.improvements.push_back(
            "ask the administrator why Slurm placed it alone (slurmctld's log names the job)");
    }
}

/// A ring in the order of the tree crosses the fewest switches; Slurm's order may be another.
void improve_order(const Fabric& fabric, Explanation& explanation) {
    const PlacementColumn& got = explanation.judgement->got;
    const PlacementFacts ordered = describe(
        fabric, in_fabric_order(fabric, got.nodes), explanation.gpus_per_node, explanation.hints);
    const std::uint32_t now = edges_leaving_leaves(got.facts);
    const std::uint32_t then = edges_leaving_leaves(ordered);
    if (then < now || ordered.split_tp_groups < got.facts.split_tp_groups) {
        explanation.improvements.push_back(
            "rank its nodes in the order of the tree above (srun --distribution=arbitrary with "
            "such a "
            "SLURM_HOSTFILE): ring edges that leave a leaf group fall from " +
            std::to_string(now) + " to " + std::to_string(then) + ", split TP groups from " +
            std::to_string(got.facts.split_tp_groups) + " to " +
            std::to_string(ordered.split_tp_groups));
    }
}

void improve_choice(Explanation& explanation) {
    const Judgement& judgement = *explanation.judgement;
    if (!judgement.best) {
        return;
    }
    const std::uint32_t got = judgement.got.score.leaf_groups;
    const std::uint32_t best = judgement.best->score.leaf_groups;
    if (best < got) {
        const std::string wish = best == 1 ? "the leaf hint" : "--switches=" + std::to_string(best);
        explanation.improvements.push_back(
            "an empty fabric holds it in " + count_of(best, "leaf group") + " instead of " +
            std::to_string(got) + ": " + wish + " makes it wait for that");
    }
}

}  // namespace

void add_findings(const Fabric& fabric, Explanation& explanation) {
    const PlacementFacts& facts = explanation.judgement->got.facts;
    if (facts.split_tp_groups > 0) {
        explanation.given_up.push_back(std::to_string(facts.split_tp_groups) + " of " +
                                       count_of(facts.tp_groups, "TP group") +
                                       " lie in more than one NVLink domain");
    }
    if (explanation.receipt && explanation.unknown_nodes.empty() &&
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
