#include "replay/usage.hpp"

#include <algorithm>

namespace yardmaster {
namespace {

/// A job that begins or ends.
struct Change {
    std::int64_t time = 0;
    const JobStart* start = nullptr;
    bool begins = false;
};

std::vector<Change> changes_of(const Schedule& schedule) {
    std::vector<Change> changes;
    for (const JobStart& start : schedule.starts) {
        changes.push_back({start.start, &start, true});
        changes.push_back({start.end, &start, false});
    }
    std::stable_sort(changes.begin(), changes.end(), [](const Change& a, const Change& b) {
        return a.time < b.time;
    });
    return changes;
}

class UsageMeter {
  public:
    UsageMeter(const Fabric& fabric, const std::vector<TraceJob>& jobs)
        : fabric_(fabric),
          jobs_(jobs),
          domain_jobs_(fabric.domains().size(), 0),
          leaf_jobs_(fabric.units().size(), 0) {
        const UnitCounts units = units_of(fabric);
        free_domains_ = units.domains;
        free_leaf_groups_ = units.leaf_groups;
        for (std::size_t i = 0; i < fabric.nodes().size(); ++i) {
            capacity_ += capacity(NodeIndex(i));
        }
    }

    Usage measure(const Schedule& schedule, std::int64_t window) {
        for (const Change& change : changes_of(schedule)) {
            advance(std::min(change.time, window));
            apply(change);
        }
        advance(window);
        const auto seconds = static_cast<double>(window);
        return {used_time_ / (seconds * static_cast<double>(capacity_)),
                domain_time_ / seconds,
                leaf_time_ / seconds};
    }

  private:
    std::int64_t capacity(NodeIndex node) const {
        return std::max<std::int64_t>(1, fabric_.type_of(node).gpus);
    }

    void advance(std::int64_t time) {
        const auto seconds = static_cast<double>(std::max<std::int64_t>(0, time - now_));
        used_time_ += seconds * static_cast<double>(used_);
        domain_time_ += seconds * free_domains_;
        leaf_time_ += seconds * free_leaf_groups_;
        now_ = std::max(now_, time);
    }

    void apply(const Change& change) {
        const TraceJob& job = jobs_[change.start->job];
        const int sign = change.begins ? 1 : -1;
        for (NodeIndex node : change.start->ranked) {
            used_ +=
                sign * (job.gpus_per_node > 0 ? std::int64_t{job.gpus_per_node} : capacity(node));
            const FabricNode& facts = fabric_.node(node);
            if (fabric_.domain(facts.domain).nodes.size() > 1) {
                count(domain_jobs_[raw(facts.domain)], sign, free_domains_);
            }
            if (facts.leaf) {
                count(leaf_jobs_[raw(*facts.leaf)], sign, free_leaf_groups_);
            }
        }
    }

    /// Adds to the jobs' nodes in one unit; the first takes it from the free ones, the last back.
    static void count(std::uint32_t& held, int sign, std::uint32_t& free) {
        if (sign > 0) {
            free -= held++ == 0 ? 1 : 0;
        } else {
            free += --held == 0 ? 1 : 0;
        }
    }

    const Fabric& fabric_;
    const std::vector<TraceJob>& jobs_;
    std::vector<std::uint32_t> domain_jobs_;  // [DomainIndex] nodes in use, once for every job
    std::vector<std::uint32_t> leaf_jobs_;    // [UnitIndex]
    std::uint32_t free_domains_ = 0;
    std::uint32_t free_leaf_groups_ = 0;
    std::int64_t capacity_ = 0;
    std::int64_t used_ = 0;
    std::int64_t now_ = 0;
    double used_time_ = 0, domain_time_ = 0, leaf_time_ = 0;
};

}  // namespace

Usage usage_of(const Fabric& fabric,
               const std::vector<TraceJob>& jobs,
               const Schedule& schedule,
               std::int64_t window) {
    return window > 0 ? UsageMeter(fabric, jobs).measure(schedule, window) : Usage{};
}

UnitCounts units_of(const Fabric& fabric) {
    UnitCounts counts;
    for (const NvlinkDomain& domain : fabric.domains()) {
        counts.domains += domain.nodes.size() > 1 ? 1 : 0;
    }
    for (const SwitchUnit& unit : fabric.units()) {
        counts.leaf_groups += unit.nodes.empty() ? 0 : 1;
    }
    return counts;
}

}  // namespace yardmaster
