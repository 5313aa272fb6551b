// What the candidate nodes of one job_test have free: now, when jobs have ended, and ever.
#pragma once

#include <cstdint>
#include <ctime>
#include <vector>

#include "plugin/abi/slurm_abi.h"
#include "plugin/select/demand.hpp"
#include "plugin/select/node_counts.hpp"
#include "plugin/select/node_sets.hpp"
#include "topology/index_set.hpp"

namespace yardmaster {

/// The moment for which nodes are counted as free.
struct Moment {
    enum class Kind {
        kNow,
        kPreempting,  ///< now, with every preemptable job gone
        kAt,          ///< at `time`, with every job gone whose time limit ends by then
        kEver,        ///< on an empty cluster
    };
    Kind kind = Kind::kNow;
    std::time_t time = 0;
};

/// Nodes that could serve a job at some moment.
struct FreeNodes {
    NodeSet nodes;
    /// [node-table index] The GPUs that the job can have there by index; 0 where indices are not
    /// known or too few are free. Empty when the job's GPUs are not chosen by index.
    std::vector<GpuMask> gpus;
};

/// A snapshot of the candidate nodes, taken under the locks of one job_test. Counts are never
/// lower than what stock cons_tres would find: a node it leaves out is of no use to the job.
class Supply {
  public:
    Supply(const ym_job_test& test, NodeCounts& counts);

    /// The candidate nodes, as node-table indices, ascending.
    const NodeSet& nodes() const { return nodes_; }
    /// The nodes that the job must get (--nodelist), ascending; usually candidates.
    const NodeSet& required() const { return required_; }
    /// Nodes of nodes() that could serve `demand` at `moment`, ascending. required() is among them
    /// only where it could serve. Looks at GPU indices only if read_gpu_masks was called. Under
    /// RUN_NOW without candidates for preemption no job can be gone: then only kNow is told.
    FreeNodes usable(const Demand& demand, const Moment& moment) const;
    /// Reads which GPUs are free by index, for usable() of `demand`. `only_so`: it is asked about
    /// no other number of GPUs on a node.
    void read_gpu_masks(const Demand& demand, bool only_so);
    /// The least number of GPUs, at least `gpus`, that `nodes` candidate nodes have each, all held
    /// or free; 0: none.
    std::uint32_t gpus_of_alike(std::uint32_t gpus, std::uint32_t nodes) const;
    /// Whether jobs hold some of the node now.
    bool part_used(std::int32_t node) const;
    /// Whether the candidate bears a SoftMark in force.
    bool soft_degraded(std::int32_t node) const { return node_at(node).soft_degraded; }
    /// In which order Slurm wants the candidate used, lower first (ym_node_sched_weight).
    std::uint64_t weight(std::int32_t node) const { return node_at(node).weight; }
    /// The times at which jobs on candidate nodes end, ascending, distinct.
    std::vector<std::time_t> end_times() const;
    /// GPUs and CPUs of the largest candidate node; at least 1.
    std::uint32_t most_gpus() const { return most_gpus_; }
    std::uint32_t most_cpus() const { return most_cpus_; }

  private:
    struct Node {
        NodeCount count;
        std::uint32_t used_cpus = 0;
        bool soft_degraded = false;
        std::uint64_t weight = 0;  // as it was before stock was asked, which changes it in 24.11
    };
    /// What nodes have at some moment. [node-table index]; zeros where a node is no candidate.
    struct Table {
        std::vector<Node> nodes;
        std::vector<NodeMasks> masks;  // empty until read_gpu_masks: most decisions need none
    };
    const Node& node_at(std::int32_t node) const {
        return table_.nodes[static_cast<std::size_t>(node)];
    }
    void read_nodes(std::uint16_t mode, NodeCounts& counts);
    void read_holdings(const ym_bitmap* offered, ym_list* preemptees);
    Table table_at(const Moment& moment) const;
    FreeNodes usable_in(const Table& table, const Demand& demand) const;
    static void release(const ym_holding& holding, Table& table);
    static GpuMask offered(const NodeCount& count, const NodeMasks& masks, const Demand& demand);

    NodeSet nodes_;
    NodeSet required_;
    Table table_;                       // of now
    std::vector<ym_holding> holdings_;  // of candidate nodes; none if only_now_
    NodeCounts& counts_;
    bool only_now_ = false;  // no job can be gone in any moment that is asked about
    std::uint32_t most_gpus_ = 1;
    std::uint32_t most_cpus_ = 1;
};

}  // namespace yardmaster
