// The cost of one order of a job's nodes, in whole numbers and quickly: what predict() says of
// whole TP groups.
#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <vector>

#include "topology/job_model.hpp"
#include "topology/link_speed.hpp"
#include "topology/unit_tree.hpp"

namespace yardmaster {

/// Costs of one job can be compared; CostScale turns them into seconds.
using OrderCost = std::int64_t;

class OrderPricer {
  public:
    /// `tree` with SpanningDomains::kCut. All three must outlive it.
    OrderPricer(const UnitTree& tree, const RailKinds& rails, const JobModel& job)
        : tree_(tree), rails_(rails), job_(job) {}

    /// `order` has job.quanta x job.quantum nodes, quantum after quantum. Like GPUs of two quanta
    /// talk to each other. Jobs with fewer GPUs a node than it has may get any, so all count.
    OrderCost price(std::span<const NodeIndex> order);
    /// Whether single nodes cost the same wherever they are put.
    bool alike(NodeIndex a, NodeIndex b) const {
        return tree_.bin_of(a) == tree_.bin_of(b) && rails_.of[raw(a)] == rails_.of[raw(b)];
    }
    /// Whether two quanta cost the same wherever they are put.
    bool alike(std::span<const NodeIndex> a, std::span<const NodeIndex> b) const {
        return std::ranges::equal(a, b, [&](NodeIndex x, NodeIndex y) { return alike(x, y); });
    }
    /// As CommTime::cost, without tp and what is the same for every placement inside nodes.
    double seconds(OrderCost cost) const;

  private:
    /// Neighbouring quanta that cost the same: [begin, end).
    struct Run {
        NodeIndex node{};  ///< the first
        std::uint32_t begin = 0, end = 0;
        std::span<const NodeIndex> mixed;  ///< of a quantum whose nodes are not alike: all
    };
    /// One edge of every GPU of a quantum.
    struct Hop {
        HopCost most = 0;
        HopCost mean = 0;
    };
    struct Sum {
        HopCost most = 0;
        HopCost all = 0;
        std::uint64_t count = 0;
        void add(const Hop& hop, std::uint64_t times) {
            if (times > 0) {
                most = std::max(most, hop.most);
                all += hop.mean * static_cast<HopCost>(times);
                count += times;
            }
        }
    };

    void cut_runs(std::span<const NodeIndex> order);
    std::optional<HopCost> uniform(const Run& a, const Run& b) const;
    void add_lanes(NodeIndex a, NodeIndex b);
    void find_lanes(const Run& a, const Run& b);
    Hop ring_hop(const Run& a, const Run& b);
    Hop chain_hop(const Run& a, const Run& b);
    OrderCost charge(const Sum& sum, HopCost floor, std::int64_t load) const;
    Sum rings(std::uint32_t block);
    Sum chains();
    Sum all_to_all();
    void exchange(std::span<const Run> runs, Sum& sum);

    const UnitTree& tree_;
    const RailKinds& rails_;
    const JobModel& job_;
    std::vector<Run> runs_;
    std::vector<HopCost> lanes_;  // [GPU of a quantum] one edge of each
    std::vector<HopCost> sent_;   // [GPU of a quantum] all that it sends
};

}  // namespace yardmaster
