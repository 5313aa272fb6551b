// What `explain` knows of one job, before it is written as text or JSON.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/picture.hpp"
#include "cli/placement_report.hpp"
#include "cli/slurm_client.hpp"
#include "topology/fabric.hpp"
#include "topology/rank_plan.hpp"
#include "topology/receipt.hpp"

namespace yardmaster::cli {

/// A job's nodes judged against the fabric.
struct Judgement {
    CostWeights weights;
    PlacementColumn got;
    std::optional<PlacementColumn> best;  ///< on an empty fabric, in the best rank order; none:
                                          ///< nothing could be proposed
    std::optional<RankPlan> ranks;        ///< of the job's own nodes; none: a job without GPUs
    std::vector<SplitGroup> split;
    std::vector<CellState> states;  ///< [NodeIndex], for the picture
};

struct Explanation {
    SlurmJob job;
    std::optional<Receipt> receipt;
    std::string receipt_problem;  ///< why there is none, or why it cannot be read
    Hints hints;                  ///< the receipt's; empty without one; those of --as if given
    bool judged_as = false;       ///< `hints` are those of --as
    std::uint32_t gpus_per_node = 0;
    std::vector<std::string> unknown_nodes;  ///< the job's nodes that the fabric file lacks
    std::optional<Judgement> judgement;      ///< none: not placed, or no node is in the fabric
    /// Sentences on those of its nodes that bear a SoftMark now.
    std::vector<std::string> soft_degraded;
    std::vector<std::string> given_up;
    std::vector<std::string> improvements;

    bool placed() const { return !job.nodes.empty(); }
    /// Predicted communication divided by the best possible; 0 when one is not known, or no link
    /// joins the job's nodes.
    double slowdown() const;
    /// The same for the best set that was free when the job began, as its receipt has it.
    double slowdown_then() const;
    void judge_as(const Hints& other) {
        hints = other;
        judged_as = true;
    }
};

/// What the job's own record says: no fabric needed.
Explanation explain_record(const SlurmJob& job);

/// Adds what the fabric says. `cluster` holds Slurm's nodes in table order; empty: not known, and
/// then the job's own order is taken for Slurm's.
void judge_against(const Fabric& fabric,
                   const CostWeights& weights,
                   const std::vector<SlurmNode>& cluster,
                   Explanation& explanation);

/// Fills `given_up` and `improvements` from the judgement.
void add_findings(const Fabric& fabric, Explanation& explanation);

void print_explanation(const Explanation& explanation,
                       const Fabric* fabric,
                       bool unicode,
                       std::ostream& out);
JsonValue explanation_to_json(const Explanation& explanation, const Fabric* fabric);

}  // namespace yardmaster::cli
