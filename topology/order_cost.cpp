#include "topology/order_cost.hpp"

#include <algorithm>
#include <numeric>

namespace yardmaster {
namespace {

/// Means are kept in 1/1024 of a HopCost, so that one crossing among thousands of edges still
/// shows.
constexpr int kMeanBits = 10;

}  // namespace

void OrderPricer::cut_runs(std::span<const NodeIndex> order) {
    runs_.clear();
    for (std::uint32_t quantum = 0; quantum < job_.quanta; ++quantum) {
        const std::size_t first = std::size_t{quantum} * job_.quantum;
        const auto nodes =
            order.subspan(first, std::min<std::size_t>(job_.quantum, order.size() - first));
        const NodeIndex node = nodes.front();
        const bool same = std::all_of(
            nodes.begin(), nodes.end(), [&](NodeIndex other) { return alike(node, other); });
        if (!same || runs_.empty() || !runs_.back().mixed.empty() ||
            !alike(runs_.back().node, node)) {
            runs_.push_back({node, quantum, quantum, {}});
            runs_.back().mixed = same ? std::span<const NodeIndex>() : nodes;
        }
        runs_.back().end = quantum + 1;
    }
}

/// An edge between like GPUs of two quanta, where all cost the same and that is quickly seen.
std::optional<HopCost> OrderPricer::uniform(const Run& a, const Run& b) const {
    if (!a.mixed.empty() || !b.mixed.empty()) {
        return std::nullopt;
    }
    const std::uint32_t bin_a = tree_.bin_of(a.node);
    const std::uint32_t bin_b = tree_.bin_of(b.node);
    if (tree_.nvlink(bin_a, bin_b)) {
        return tree_.edge(bin_a, bin_b);
    }
    const RailKind& kind_a = rails_.kind(a.node);
    const RailKind& kind_b = rails_.kind(b.node);
    if (!kind_a.even || !kind_b.even) {
        return std::nullopt;
    }
    return tree_.edge(bin_a, bin_b) * std::max(kind_a.grade.slowest, kind_b.grade.slowest) /
           kFullSpeed;
}

/// Edges between like GPUs of two nodes.
void OrderPricer::add_lanes(NodeIndex a, NodeIndex b) {
    const std::uint32_t bin_a = tree_.bin_of(a);
    const std::uint32_t bin_b = tree_.bin_of(b);
    const HopCost edge = tree_.edge(bin_a, bin_b);
    const bool nvlink = tree_.nvlink(bin_a, bin_b);
    const auto above = [&](std::uint32_t bin) {
        return tree_.cells()[tree_.bins()[bin].cell].parent;
    };
    const HopCost detour = above(bin_a) == above(bin_b) ? tree_.bins()[bin_a].detour : 0;
    const std::vector<RailLane>& from = rails_.kind(a).lanes;
    const std::vector<RailLane>& to = rails_.kind(b).lanes;
    const std::size_t gpus = std::min(from.size(), to.size());
    for (std::size_t gpu = 0; gpu < gpus; ++gpu) {
        const HopCost hops = edge + (from[gpu].rail != to[gpu].rail ? detour : 0);
        lanes_.push_back(nvlink ? edge
                                : hops * std::max(from[gpu].slow, to[gpu].slow) / kFullSpeed);
    }
    if (gpus == 0) {
        lanes_.push_back(edge);
    }
}

/// Edges between like GPUs of two quanta: `lanes_`.
void OrderPricer::find_lanes(const Run& a, const Run& b) {
    lanes_.clear();
    const std::size_t mixed = std::max(a.mixed.size(), b.mixed.size());
    const std::size_t nodes = mixed > 0 ? mixed : job_.quantum;
    for (std::size_t i = 0; i < nodes; ++i) {
        add_lanes(a.mixed.empty() ? a.node : a.mixed[i], b.mixed.empty() ? b.node : b.mixed[i]);
    }
}

/// Every GPU's edge counts alone.
OrderPricer::Hop OrderPricer::chain_hop(const Run& a, const Run& b) {
    if (const auto edge = uniform(a, b)) {
        return {*edge, *edge};
    }
    find_lanes(a, b);
    const HopCost sum = std::accumulate(lanes_.begin(), lanes_.end(), HopCost{0});
    return {*std::max_element(lanes_.begin(), lanes_.end()),
            sum / static_cast<HopCost>(lanes_.size())};
}

/// A ring with several GPUs of a quantum waits for the slowest of their edges.
OrderPricer::Hop OrderPricer::ring_hop(const Run& a, const Run& b) {
    if (const auto edge = uniform(a, b)) {
        return {*edge, *edge};
    }
    find_lanes(a, b);
    const std::size_t rings =
        job_.ring_step > 0 ? std::min<std::size_t>(job_.ring_step, lanes_.size()) : lanes_.size();
    Hop hop;
    for (std::size_t ring = 0; ring < rings; ++ring) {
        HopCost slowest = 0;
        for (std::size_t lane = ring; lane < lanes_.size(); lane += rings) {
            slowest = std::max(slowest, lanes_[lane]);
        }
        hop.most = std::max(hop.most, slowest);
        hop.mean += slowest;
    }
    hop.mean /= static_cast<HopCost>(rings);
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
OrderPricer::Sum OrderPricer::rings(std::uint32_t block) {
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
            sum.add(ring_hop(run, run), to - from - 1);
            if (to == end) {
                break;
            }
            sum.add(ring_hop(run, runs_[at + 1]), 1);
            from = to;
            ++at;
        }
        sum.add(ring_hop(runs_[at], first), 1);
    }
    return sum;
}

/// From every quantum to its like in the next stage.
OrderPricer::Sum OrderPricer::chains() {
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
        sum.add(chain_hop(runs_[a], runs_[b]), end - quantum);
        quantum = end;
    }
    return sum;
}

/// What a GPU of each run sends to all others of its group, in hops for all its bytes.
void OrderPricer::exchange(std::span<const Run> runs, Sum& sum) {
    for (const Run& from : runs) {
        HopCost alike = job_.node_hop * (job_.tp_groups - 1);  // what every GPU sends
        sent_.clear();
        for (const Run& to : runs) {
            const std::uint32_t quanta = to.end - to.begin - (&from == &to ? 1 : 0);
            const HopCost times = HopCost{quanta} * job_.tp_groups;
            if (const auto edge = quanta > 0 ? uniform(from, to) : std::optional<HopCost>(0)) {
                alike += *edge * times;
                continue;
            }
            find_lanes(from, to);
            sent_.resize(std::max(sent_.size(), lanes_.size()), 0);
            for (std::size_t lane = 0; lane < lanes_.size(); ++lane) {
                sent_[lane] += lanes_[lane] * times;
            }
        }
        Hop hops{alike, alike};
        if (!sent_.empty()) {
            hops.most += *std::max_element(sent_.begin(), sent_.end());
            hops.mean += std::accumulate(sent_.begin(), sent_.end(), HopCost{0}) /
                         static_cast<HopCost>(sent_.size());
        }
        sum.add({hops.most / job_.ep, hops.mean / job_.ep}, from.end - from.begin);
    }
}

OrderPricer::Sum OrderPricer::all_to_all() {
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
