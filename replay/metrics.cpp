#include "replay/metrics.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "replay/occupancy.hpp"
#include "replay/usage.hpp"

namespace yardmaster {

Distribution distribution_of(std::vector<double> values) {
    if (values.empty()) {
        return {};
    }
    std::sort(values.begin(), values.end());
    const auto count = static_cast<double>(values.size());
    const auto rank = static_cast<std::size_t>(std::ceil(0.95 * count));
    return {std::accumulate(values.begin(), values.end(), 0.0) / count, values[rank - 1]};
}

struct Judge::Sums {
    std::vector<double> waits;
    std::vector<double> slowdowns;
    std::vector<double> spread;  // [tier] units of the worst group x weight
    double weight = 0;
    double imbalance = 0;
    std::uint32_t in_several_leaf_groups = 0;
};

Judge::Judge(const Fabric& fabric, const std::vector<TraceJob>& jobs, const Placer& placer)
    : fabric_(fabric), jobs_(jobs), placer_(placer) {}

PolicyMetrics Judge::judge(const Schedule& schedule, std::int64_t window) {
    PolicyMetrics metrics;
    Sums sums;
    metrics.jobs = static_cast<std::uint32_t>(schedule.starts.size());
    metrics.impossible = static_cast<std::uint32_t>(schedule.impossible.size());
    metrics.makespan = schedule.last_end();
    for (const JobStart& start : schedule.starts) {
        add_job(start, metrics, sums);
    }
    for (std::size_t tier = 0; tier < metrics.spread.size() && sums.weight > 0; ++tier) {
        metrics.spread[tier].weighted = sums.spread[tier] / sums.weight;
    }
    metrics.wait = distribution_of(std::move(sums.waits));
    metrics.slowdown = distribution_of(std::move(sums.slowdowns));
    if (sums.in_several_leaf_groups > 0) {
        metrics.imbalance = sums.imbalance / sums.in_several_leaf_groups;
    }
    const Usage usage = usage_of(fabric_, jobs_, schedule, window);
    metrics.utilisation = usage.utilisation;
    metrics.free_domains = usage.free_domains;
    metrics.free_leaf_groups = usage.free_leaf_groups;
    return metrics;
}

void Judge::add_job(const JobStart& start, PolicyMetrics& metrics, Sums& sums) {
    const TraceJob& job = jobs_[start.job];
    const PlacementFacts facts =
        describe(fabric_, start.ranked, job.gpus_per_node, job.hints, placer_.weights());
    sums.waits.push_back(static_cast<double>(start.start - job.submit));
    metrics.tp_jobs += facts.tp_groups > 0 ? 1 : 0;
    metrics.split_jobs += facts.split_tp_groups > 0 ? 1 : 0;
    metrics.tp_groups += facts.tp_groups;
    metrics.split_tp_groups += facts.split_tp_groups;
    add_groups(start, facts, metrics, sums);
    add_time(job, facts, sums);
    add_balance(start, sums);
}

void Judge::add_groups(const JobStart& start,
                       const PlacementFacts& facts,
                       PolicyMetrics& metrics,
                       Sums& sums) {
    const KindFacts& dp = facts[GroupKind::kDp];
    metrics.dp_edges_leaving.resize(facts.units_touched.size(), 0);
    metrics.spread.resize(facts.units_touched.size());
    sums.spread.resize(facts.units_touched.size(), 0);
    if (dp.groups == 0) {
        return;
    }
    metrics.dp_edges += dp.edges;
    metrics.dp_edges_off_rail += dp.edges_off_rail;
    const TraceJob& job = jobs_[start.job];
    const double weight =
        static_cast<double>(job.shape().gpus()) * static_cast<double>(job.runtime);
    sums.weight += weight;
    for (std::size_t tier = 0; tier < metrics.spread.size(); ++tier) {
        metrics.dp_edges_leaving[tier] += dp.edges_leaving[tier];
        metrics.spread[tier].most = std::max(metrics.spread[tier].most, dp.spread[tier].most);
        sums.spread[tier] += weight * dp.spread[tier].most;
    }
}

void Judge::add_time(const TraceJob& job, const PlacementFacts& facts, Sums& sums) {
    const double best = best_seconds(job);
    if (best > 0 && facts.predicted_seconds > 0) {
        sums.slowdowns.push_back(facts.predicted_seconds / best);
    }
}

void Judge::add_balance(const JobStart& start, Sums& sums) const {
    std::map<std::size_t, std::uint32_t> nodes;
    for (NodeIndex node : start.ranked) {
        if (const auto leaf = fabric_.node(node).leaf) {
            ++nodes[raw(*leaf)];
        }
    }
    if (nodes.size() < 2) {
        return;
    }
    const auto [least, most] =
        std::minmax_element(nodes.begin(), nodes.end(), [](const auto& a, const auto& b) {
            return a.second < b.second;
        });
    sums.imbalance += most->second - least->second;
    ++sums.in_several_leaf_groups;
}

/// 0: the job does not communicate, or nothing is known to compare it with.
double Judge::best_seconds(const TraceJob& job) {
    const std::tuple key{job.nodes, job.gpus_per_node, job.hints.to_string()};
    const auto known = best_.find(key);
    if (known != best_.end()) {
        return known->second;
    }
    const PlacementRequest request = Occupancy(fabric_).request_for(job, {});
    const auto best = best_possible(fabric_, placer_, request);
    return best_.emplace(key, best ? best->empty_seconds : 0).first->second;
}

}  // namespace yardmaster
