// The placer: given what every node offers now, proposes sets of nodes for one job, best first.
#pragma once

#include <compare>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/status.hpp"
#include "topology/cost_model.hpp"
#include "topology/fabric.hpp"
#include "topology/hints.hpp"
#include "topology/parallel.hpp"

namespace yardmaster {

/// What one node offers to one request. Indexed by NodeIndex.
struct NodeOffer {
    bool usable = false;     ///< may be chosen: in the host's candidate set, with enough free GPUs
    bool required = false;   ///< must be chosen (--nodelist); implies usable
    bool part_used = false;  ///< other jobs hold some of its CPUs or GPUs
    bool soft_degraded = false;      ///< it bears a SoftMark in force
    std::uint16_t weight_class = 0;  ///< 0: the class that the admin wants used first
};

struct PlacementRequest {
    std::uint32_t nodes = 0;          ///< how many nodes to choose, exactly; >= 1
    std::uint32_t gpus_per_node = 0;  ///< 0: a job without GPUs
    Hints hints;
    std::vector<NodeOffer> offers;  ///< [NodeIndex], one for every node of the fabric
};

/// How good a set is, most important first; smaller is better everywhere. Depends on the set only.
struct PlacementScore {
    /// Nodes taken, one entry for every weight class that any offer names, the heaviest class
    /// first.
    std::vector<std::uint32_t> weight_use;
    /// TP quanta (quantum_nodes of them) that the set's NVLink domains do not hold whole. 0 for
    /// what the placer proposes.
    std::uint32_t split_quanta = 0;
    /// Roots touched, less one; a node below no switch counts as a root (its NVLink domain does).
    std::uint32_t separate_fabrics = 0;
    /// Communication in one step, in seconds: CommTime::cost of the gradient, cp, ep and pp groups
    /// with the nodes in the best rank order, what is inside nodes whatever the placement left out.
    /// A job without GPUs is taken for a ring over its nodes that takes a second at line rate.
    double comm_cost = 0;
    std::uint32_t soft_degraded = 0;  ///< nodes that bear a SoftMark
    std::uint32_t leaf_groups = 0;    ///< leaf groups (and NVLink domains below none) touched
    std::uint32_t imbalance = 0;    ///< nodes in the fullest touched leaf group minus the emptiest
    std::uint32_t fresh_nodes = 0;  ///< nodes that no other job uses yet
    std::uint32_t broken_domains = 0;  ///< multi-node NVLink domains entered that were wholly free
    std::uint32_t broken_leaf_groups = 0;  ///< leaf groups entered that were wholly free
    std::uint32_t leftover_nodes = 0;      ///< usable nodes left in the touched leaf groups

    /// Less is better. Only scores of one request can be compared.
    auto operator<=>(const PlacementScore&) const = default;
};

struct Candidate {
    std::vector<NodeIndex> nodes;  ///< ascending, `PlacementRequest::nodes` of them
    PlacementScore score;
};

/// Who waits for the answer, hence how much work further candidates are worth.
enum class Patience : std::uint8_t {
    kScheduler,  ///< slurmctld with its locks: further sets only as far as work is left (work.hpp)
    kPerson,     ///< all that were asked for
};

/// Bounds on one call. None of them is a time: a busy machine would give another answer.
struct PlacementLimits {
    std::uint32_t max_candidates = 8;  ///< at least one is looked for
    Patience patience = Patience::kScheduler;
};

struct PlacerTables;

/// Holds the precomputed tables of one fabric. Immutable after construction, safe to share.
class Placer {
  public:
    /// `fabric` must outlive the placer.
    explicit Placer(const Fabric& fabric, const CostWeights& weights = {});
    ~Placer();
    Placer(const Placer&) = delete;
    Placer& operator=(const Placer&) = delete;

    /// Candidate sets, best first, distinct, each obeying every hard hint and every `required`.
    /// The first is the best that was found; each later one is the best that avoids the nodes of
    /// those before it or, when too few are left for that, the first one's nodes in one leaf group.
    /// kUnavailable when no such set exists now (the message says what is missing);
    /// kInvalidArgument when the request does not fit this fabric's shape.
    /// The same input gives the same output on every run and machine: what bounds a call is work
    /// that is counted, never time.
    Result<std::vector<Candidate>> propose(const PlacementRequest& request,
                                           const PlacementLimits& limits) const;

    /// Scores a set that somebody else chose (stock Slurm, a user) by the same rules. The offers of
    /// `request` must be those of before the choice, one for every node of the fabric.
    PlacementScore score(const std::vector<NodeIndex>& nodes,
                         const PlacementRequest& request) const;

    const CostWeights& weights() const;
    /// For plan_ranks. Borrowed from the placer.
    const PlacerTables& tables() const { return *tables_; }

  private:
    std::unique_ptr<const PlacerTables> tables_;
};

/// What a placement does to one kind of group.
struct KindFacts {
    std::uint32_t groups = 0;  ///< 0: the job does not use the kind
    std::uint32_t size = 0;    ///< GPUs in each
    std::uint32_t split = 0;   ///< groups that do not lie in one NVLink domain
    /// Edges between neighbours on different nodes: rings closed, a pipeline's open.
    std::uint32_t edges = 0;
    std::uint32_t edges_off_rail = 0;          ///< outside NVLink, between GPUs of two rails
    std::vector<std::uint32_t> edges_leaving;  ///< [tier]: outside NVLink, above that tier
    std::vector<Spread> spread;                ///< [tier]: units that a group touches
    KindTime time;                             ///< predicted for one step
};

/// Facts about a chosen set, for receipts, `explain` and comparisons.
struct PlacementFacts {
    std::uint32_t tp_groups = 0;               ///< TP groups in rank order (0 without a tp hint)
    std::uint32_t split_tp_groups = 0;         ///< of these, how many span NVLink domains
    std::uint32_t nvlink_domains = 0;          ///< domains touched
    std::vector<std::uint32_t> units_touched;  ///< [tier]: leaf groups, pods, ... touched
    /// [tier]: edges of the DP ring (neighbouring quanta in node order, closed) whose lowest common
    /// unit lies above that tier: [0] leaves its leaf group, [1] leaves its pod, ...
    std::vector<std::uint32_t> ring_edges_leaving;
    std::uint32_t ring_edges = 0;  ///< edges of that ring in all

    Parallelism sizes;  ///< as derived; all 1 where `kinds` say nothing
    /// [GroupKind]; all without groups when the hints' sizes do not fit the job or it has no GPUs.
    std::array<KindFacts, kGroupKinds.size()> kinds;
    double predicted_seconds = 0;  ///< communication of one step: the slowest groups' time

    const KindFacts& operator[](GroupKind kind) const {
        return kinds[static_cast<std::size_t>(kind)];
    }
    /// Whether the nodes lie in several fabrics that no link joins. Every predicted time between
    /// them then stands for "never" (see predict), and says nothing to people.
    bool separate_fabrics() const { return !units_touched.empty() && units_touched.back() > 1; }
};

/// Facts of the job on `nodes`, which stand in rank order (Slurm: node-table order).
PlacementFacts describe(const Fabric& fabric,
                        const std::vector<NodeIndex>& nodes,
                        std::uint32_t gpus_per_node,
                        const Hints& hints,
                        const CostWeights& weights = {});

/// The same without what concerns single groups (`sizes`, `kinds`, `predicted_seconds`), which is
/// what takes time: milliseconds for thousands of nodes.
PlacementFacts describe_set(const Fabric& fabric,
                            const std::vector<NodeIndex>& nodes,
                            std::uint32_t gpus_per_node,
                            const Hints& hints);

/// The least predicted seconds of communication that the placer finds for a request, its nodes in
/// the best rank order: what a placement is compared with.
struct BestPossible {
    double now_seconds = 0;    ///< on the cluster as `request.offers` describe it
    double empty_seconds = 0;  ///< with every node free that has enough GPUs
};
/// Errors: as Placer::propose on the offers as they are. 0 for jobs without GPUs.
Result<BestPossible> best_possible(const Fabric& fabric,
                                   const Placer& placer,
                                   const PlacementRequest& request);

}  // namespace yardmaster
