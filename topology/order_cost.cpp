#include "topology/order_cost.hpp"

#include <algorithm>

namespace yardmaster {
namespace {

/// Means are kept in 1/1024 of a HopCost, so that one crossing among thousands of edges still
/// shows.
constexpr int kMeanBits = 10;

}  // namespace

/// That of the worst node.
RailGrade OrderPricer::grade_of(std::span<const NodeIndex> quantum) const {
    RailGrade grade = grades_[raw(quantum.front())];
    for (NodeIndex node : quantum) {
        grade = std::max(grade, grades_[raw(node)]);
    }
    return grade;
}

void OrderPricer::cut_runs(std::span<const NodeIndex> order) {
    runs_.clear();
    for (std::uint32_t quantum = 0; quantum < job_.quanta; ++quantum) {
        const std::size_t first = std::size_t{quantum} * job_.quantum;
        const auto nodes =
            order.subspan(first, std::min<std::size_t>(job_.quantum, order.size() - first));
        const RailGrade grade = grade_of(nodes);
        const std::uint32_t bin = tree_.bin_of(nodes.front());
        const bool whole = std::all_of(
            nodes.begin(), nodes.end(), [&](NodeIndex node) { return tree_.bin_of(node) == bin; });
        if (!whole || runs_.empty() || !runs_.back().scattered.empty() || runs_.back().bin != bin ||
            runs_.back().grade != grade) {
            runs_.push_back({bin, grade, quantum, quantum, {}});
            runs_.back().scattered = whole ? std::span<const NodeIndex>() : nodes;
        }
        runs_.back().end = quantum + 1;
    }
}

/// Between like nodes of two quanta, at line rate.
OrderPricer::Hop OrderPricer::edges(const Run& a, const Run& b) const {
    const std::size_t count = std::max(a.scattered.size(), b.scattered.size());
    if (count == 0) {
        const HopCost edge = tree_.edge(a.bin, b.bin);
        return {edge, edge};
    }
    const auto bin_of = [&](const Run& run, std::size_t i) {
        return run.scattered.empty() ? run.bin : tree_.bin_of(run.scattered[i]);
    };
    Hop hop;
    for (std::size_t i = 0; i < count; ++i) {
        const HopCost edge = tree_.edge(bin_of(a, i), bin_of(b, i));
        hop.most = std::max(hop.most, edge);
        hop.mean += edge;
    }
    hop.mean /= static_cast<HopCost>(count);
    return hop;
}

OrderPricer::Hop OrderPricer::hop(const Run& a, const Run& b) const {
    Hop hop = edges(a, b);
    if (tree_.nvlink(a.bin, b.bin) || (a.grade.perfect() && b.grade.perfect())) {
        return hop;
    }
    const std::uint32_t leaf = tree_.cells()[tree_.bins()[a.bin].cell].parent;
    const std::uint32_t odd = std::max(a.grade.odd, b.grade.odd);
    if (odd > 0 && leaf != 0 && leaf == tree_.cells()[tree_.bins()[b.bin].cell].parent) {
        // Another rail of the same leaf group is reached through the tier above.
        hop.most += tree_.cells()[leaf].weight;
        hop.mean += tree_.cells()[leaf].weight * odd / kFullSpeed;
    }
    hop.most = hop.most * std::max(a.grade.slowest, b.grade.slowest) / kFullSpeed;
    hop.mean = hop.mean * std::max(a.grade.mean, b.grade.mean) / kFullSpeed;
    return hop;
}

OrderCost OrderPricer::charge(const Sum& sum, HopCost floor, std::int64_t load) const {
    if (sum.count == 0 || load == 0) {
        return 0;
    }
    const HopCost most = std::max(sum.most, floor);
    return load * ((most << kMeanBits) + (sum.all << kMeanBits) / static_cast<HopCost>(sum.count));
}

/// Closed rings through every `block` quanta.
OrderPricer::Sum OrderPricer::rings(std::uint32_t block) const {
    Sum sum;
    std::size_t at = 0;
    for (std::uint32_t begin = 0; block > 1 && begin + block <= job_.quanta; begin += block) {
        const std::uint32_t end = begin + block;
        while (runs_[at].end <= begin) {
            ++at;
        }
        const Run& first = runs_[at];
        std::uint32_t from = begin;
        while (true) {
            const Run& run = runs_[at];
            const std::uint32_t to = std::min(run.end, end);
            sum.add(hop(run, run), to - from - 1);
            if (to == end) {
                break;
            }
            sum.add(hop(run, runs_[at + 1]), 1);
            from = to;
            ++at;
        }
        sum.add(hop(runs_[at], first), 1);
    }
    return sum;
}

/// From every quantum to its like in the next stage.
OrderPricer::Sum OrderPricer::chains() const {
    Sum sum;
    if (job_.next_stage == 0) {
        return sum;
    }
    std::size_t a = 0;
    std::size_t b = 0;
    for (std::uint32_t quantum = 0; quantum + job_.next_stage < job_.quanta;) {
        while (runs_[a].end <= quantum) {
            ++a;
        }
        while (runs_[b].end <= quantum + job_.next_stage) {
            ++b;
        }
        const std::uint32_t end = std::min(runs_[a].end, runs_[b].end - job_.next_stage);
        sum.add(hop(runs_[a], runs_[b]), end - quantum);
        quantum = end;
    }
    return sum;
}

/// What a GPU of each run sends to all others of its group, in hops for all its bytes.
void OrderPricer::exchange(std::span<const Run> runs, Sum& sum) const {
    for (const Run& from : runs) {
        Hop hops{job_.node_hop * (job_.tp_groups - 1), job_.node_hop * (job_.tp_groups - 1)};
        for (const Run& to : runs) {
            const std::uint32_t quanta = to.end - to.begin - (&from == &to ? 1 : 0);
            const Hop one = hop(from, to);
            hops.most += one.most * quanta * job_.tp_groups;
            hops.mean += one.mean * quanta * job_.tp_groups;
        }
        sum.add({hops.most / job_.ep, hops.mean / job_.ep}, from.end - from.begin);
    }
}

OrderPricer::Sum OrderPricer::all_to_all() const {
    Sum sum;
    std::vector<Run> block;
    std::size_t at = 0;
    for (std::uint32_t begin = 0; begin + job_.ep_block <= job_.quanta; begin += job_.ep_block) {
        const std::uint32_t end = begin + job_.ep_block;
        block.clear();
        while (runs_[at].end <= begin) {
            ++at;
        }
        for (std::size_t i = at; i < runs_.size() && runs_[i].begin < end; ++i) {
            block.push_back(runs_[i]);
            block.back().begin = std::max(runs_[i].begin, begin);
            block.back().end = std::min(runs_[i].end, end);
        }
        exchange(block, sum);
    }
    return sum;
}

OrderCost OrderPricer::price(std::span<const NodeIndex> order) {
    cut_runs(order);
    OrderCost cost = charge(rings(job_.stage), job_.gradient_floor, job_.gradient_load);
    if (job_.cp_block > 1) {
        cost += charge(rings(job_.cp_block), job_.cp_floor, job_.cp_load);
    }
    cost += charge(chains(), 0, job_.pp_load);
    if (job_.ep_block > 1) {
        cost += charge(all_to_all(), 0, job_.ep_load);
    }
    return cost;
}

double OrderPricer::seconds(OrderCost cost) const {
    const double whole =
        static_cast<double>(kWholeLoad) * static_cast<double>(kLineRateHop << kMeanBits);
    return job_.load_seconds * static_cast<double>(cost) / whole / 2;
}

}  // namespace yardmaster
