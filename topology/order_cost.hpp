// The cost of one order of a job's nodes, in whole numbers and quickly: what predict() says of
// whole TP groups, but for the rails of single GPUs, which count as a grade of their node.
#pragma once

#include <algorithm>
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
    OrderPricer(const UnitTree& tree, const std::vector<RailGrade>& grades, const JobModel& job)
        : tree_(tree), grades_(grades), job_(job) {}

    /// `order` has job.quanta x job.quantum nodes, quantum after quantum. Like nodes of two quanta
    /// talk to each other; a quantum's rails are those of its worst node.
    OrderCost price(std::span<const NodeIndex> order);
    /// Whether single nodes cost the same wherever they are put.
    bool alike(NodeIndex a, NodeIndex b) const {
        return tree_.bin_of(a) == tree_.bin_of(b) && grades_[raw(a)] == grades_[raw(b)];
    }
    /// Whether two quanta cost the same wherever they are put.
    bool alike(std::span<const NodeIndex> a, std::span<const NodeIndex> b) const {
        const auto bin_of = [&](NodeIndex node) { return tree_.bin_of(node); };
        return std::ranges::equal(a, b, {}, bin_of, bin_of) && grade_of(a) == grade_of(b);
    }
    /// As CommTime::cost, without tp and what is the same for every placement inside nodes.
    double seconds(OrderCost cost) const;

  private:
    /// Neighbouring quanta that cost the same: [begin, end).
    struct Run {
        std::uint32_t bin = 0;
        RailGrade grade;
        std::uint32_t begin = 0, end = 0;
        /// Of a quantum whose domain spans leaf groups, with nodes in several: all of them.
        std::span<const NodeIndex> scattered;
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

    RailGrade grade_of(std::span<const NodeIndex> quantum) const;
    void cut_runs(std::span<const NodeIndex> order);
    Hop hop(const Run& a, const Run& b) const;
    Hop edges(const Run& a, const Run& b) const;
    OrderCost charge(const Sum& sum, HopCost floor, std::int64_t load) const;
    Sum rings(std::uint32_t block) const;
    Sum chains() const;
    Sum all_to_all() const;
    void exchange(std::span<const Run> runs, Sum& sum) const;

    const UnitTree& tree_;
    const std::vector<RailGrade>& grades_;
    const JobModel& job_;
    std::vector<Run> runs_;
};

}  // namespace yardmaster
