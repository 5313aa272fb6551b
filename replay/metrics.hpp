// What a schedule is worth: communication, waiting, and what is left whole.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "replay/simulation.hpp"

namespace yardmaster {

/// Mean, and 95th percentile by nearest rank; 0 of nothing.
struct Distribution {
    double mean = 0;
    double p95 = 0;
};
Distribution distribution_of(std::vector<double> values);

/// DP groups at one switch tier: how many units a job's worst group touches.
struct SpreadSummary {
    std::uint32_t most = 0;  ///< of all jobs
    double weighted = 0;     ///< mean over jobs, weighted by GPUs x runtime
};

struct PolicyMetrics {
    std::uint32_t jobs = 0;        ///< that ran
    std::uint32_t impossible = 0;  ///< that the policy can never place

    std::uint32_t tp_jobs = 0;  ///< with a tp hint
    std::uint32_t split_jobs = 0;
    std::uint64_t tp_groups = 0;
    std::uint64_t split_tp_groups = 0;

    /// Edges of the DP groups' rings between different nodes; those outside NVLink may cross.
    std::uint64_t dp_edges = 0;
    std::uint64_t dp_edges_off_rail = 0;
    std::vector<std::uint64_t> dp_edges_leaving;  ///< [tier]
    std::vector<SpreadSummary> spread;            ///< [tier]

    /// Predicted communication of a step, divided by the best possible on an empty fabric; of jobs
    /// that communicate at all.
    Distribution slowdown;
    /// Nodes in the fullest leaf group that a job touches minus those in the emptiest, mean over
    /// jobs in several leaf groups; 0 without any.
    double imbalance = 0;

    Distribution wait;            ///< seconds from submission to start
    std::int64_t makespan = 0;    ///< seconds from the first submission to the last end
    double utilisation = 0;       ///< GPU time (node time of nodes without GPUs) in use
    double free_domains = 0;      ///< mean number of wholly free NVLink domains of several nodes
    double free_leaf_groups = 0;  ///< mean number of wholly free leaf groups
};

/// Judges schedules of one stream on one fabric.
class Judge {
  public:
    /// All must outlive it.
    Judge(const Fabric& fabric, const std::vector<TraceJob>& jobs, const Placer& placer);

    /// Utilisation and free units are means from the first submission to `window` (seconds): one
    /// window for all schedules that are compared.
    PolicyMetrics judge(const Schedule& schedule, std::int64_t window);

  private:
    struct Sums;
    void add_job(const JobStart& start, PolicyMetrics& metrics, Sums& sums);
    void add_groups(const JobStart& start,
                    const PlacementFacts& facts,
                    PolicyMetrics& metrics,
                    Sums& sums);
    void add_time(const TraceJob& job, const PlacementFacts& facts, Sums& sums);
    void add_balance(const JobStart& start, Sums& sums) const;
    double best_seconds(const TraceJob& job);

    const Fabric& fabric_;
    const std::vector<TraceJob>& jobs_;
    const Placer& placer_;
    std::map<std::tuple<std::uint32_t, std::uint32_t, std::string>, double> best_;
};

}  // namespace yardmaster
