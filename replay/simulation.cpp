#include "replay/simulation.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "replay/occupancy.hpp"

namespace yardmaster {
namespace {

using NodeSet = std::optional<std::vector<NodeIndex>>;

/// Jobs that are alike to a policy.
using Shape = std::tuple<std::uint32_t, std::uint32_t, std::string>;

Shape shape_of(const TraceJob& job) {
    return {job.nodes, job.gpus_per_node, job.hints.to_string()};
}

class Simulation {
  public:
    Simulation(const Fabric& fabric,
               const std::vector<TraceJob>& jobs,
               const PlacementPolicy& policy)
        : fabric_(fabric), jobs_(jobs), policy_(policy), taken_(fabric) {}

    Result<Schedule> run() {
        std::size_t next = 0;
        while (next < jobs_.size() || !running_.empty()) {
            now_ = next_event(next);
            end_jobs();
            for (; next < jobs_.size() && jobs_[next].submit <= now_; ++next) {
                if (Status status = submit(next); !status) {
                    return status;
                }
            }
            if (Status status = start_jobs(); !status) {
                return status;
            }
        }
        return std::move(schedule_);
    }

  private:
    std::int64_t next_event(std::size_t next) const {
        if (running_.empty()) {
            return jobs_[next].submit;
        }
        const std::int64_t end = running_.begin()->first;
        return next < jobs_.size() ? std::min(end, jobs_[next].submit) : end;
    }

    void end_jobs() {
        while (!running_.empty() && running_.begin()->first <= now_) {
            const JobStart& ended = schedule_.starts[running_.begin()->second];
            taken_.give_back(jobs_[ended.job], ended.ranked);
            running_.erase(running_.begin());
        }
    }

    /// Asks the policy; no set: the job must wait.
    Result<NodeSet> choose(std::size_t job,
                           const Occupancy& taken,
                           const std::vector<std::uint8_t>& kept_free) const {
        const PlacementRequest request = taken.request_for(jobs_[job], kept_free);
        const auto usable = std::count_if(request.offers.begin(),
                                          request.offers.end(),
                                          [](const NodeOffer& offer) { return offer.usable; });
        if (usable < static_cast<std::ptrdiff_t>(request.nodes)) {
            return NodeSet();
        }
        auto nodes = policy_.choose(request);
        if (nodes) {
            return NodeSet(std::move(nodes).value());
        }
        return nodes.status().code() == ErrorCode::kUnavailable
                   ? Result<NodeSet>(NodeSet())
                   : nodes.status().with_context("job " + jobs_[job].id + " with " +
                                                 std::string(policy_.name()));
    }

    Status submit(std::size_t job) {
        const Shape shape = shape_of(jobs_[job]);
        auto known = possible_.find(shape);
        if (known == possible_.end()) {
            const auto nodes = choose(job, Occupancy(fabric_), {});
            if (!nodes) {
                return nodes.status();
            }
            known = possible_.emplace(shape, nodes->has_value()).first;
        }
        known->second ? queue_.push_back(job) : schedule_.impossible.push_back(job);
        return Status::ok();
    }

    void start(std::size_t job, const std::vector<NodeIndex>& nodes) {
        const PlacementRequest request = taken_.request_for(jobs_[job], {});
        const std::int64_t end = now_ + jobs_[job].runtime;
        running_.emplace(end, schedule_.starts.size());
        schedule_.starts.push_back({job, now_, end, policy_.rank(nodes, request)});
        taken_.take(jobs_[job], nodes);
    }

    Status start_jobs() {
        while (!queue_.empty()) {
            const auto nodes = choose(queue_.front(), taken_, {});
            if (!nodes) {
                return nodes.status();
            }
            if (!*nodes) {
                return backfill();
            }
            start(queue_.front(), **nodes);
            queue_.pop_front();
        }
        return Status::ok();
    }

    struct Shadow {
        std::int64_t time = 0;
        std::vector<std::uint8_t> kept;  // [NodeIndex]
    };

    /// The earliest end of a running job after which the policy has nodes for `job`.
    Result<Shadow> find_shadow(std::size_t job) const {
        std::vector<std::int64_t> ends;
        for (const auto& [end, index] : running_) {
            if (ends.empty() || ends.back() != end) {
                ends.push_back(end);
            }
        }
        // With the last one's end every node is free, and then the job can be placed.
        std::size_t low = 0;
        std::size_t high = ends.size() - 1;
        while (low < high) {
            const std::size_t middle = (low + high) / 2;
            const auto nodes = choose(job, taken_at(ends[middle]), {});
            if (!nodes) {
                return nodes.status();
            }
            *nodes ? high = middle : low = middle + 1;
        }
        const auto nodes = choose(job, taken_at(ends[low]), {});
        if (!nodes) {
            return nodes.status();
        }
        if (!*nodes) {
            return Status(ErrorCode::kInternal,
                          "job " + jobs_[job].id + ": " + std::string(policy_.name()) +
                              " has no nodes for it though all are free");
        }
        Shadow shadow{ends[low], std::vector<std::uint8_t>(fabric_.nodes().size(), 0)};
        for (NodeIndex node : **nodes) {
            shadow.kept[raw(node)] = 1;
        }
        return shadow;
    }

    Occupancy taken_at(std::int64_t time) const {
        Occupancy taken = taken_;
        for (auto at = running_.begin(); at != running_.end() && at->first <= time; ++at) {
            const JobStart& ended = schedule_.starts[at->second];
            taken.give_back(jobs_[ended.job], ended.ranked);
        }
        return taken;
    }

    Status backfill() {
        if (queue_.size() < 2 && !schedule_.promises.empty() &&
            schedule_.promises.back().job == queue_.front()) {
            return Status::ok();  // nobody to start before it, and it has its promise
        }
        const auto shadow = find_shadow(queue_.front());
        if (!shadow) {
            return shadow.status();
        }
        schedule_.promises.push_back({queue_.front(), now_, shadow->time});
        // A shape that found nothing finds nothing later in this pass: nodes only become fewer.
        std::set<std::pair<Shape, bool>> failed;
        for (auto at = queue_.begin() + 1; at != queue_.end();) {
            const bool ends_before = now_ + jobs_[*at].runtime <= shadow->time;
            const std::pair key{shape_of(jobs_[*at]), ends_before};
            if (failed.contains(key)) {
                ++at;
                continue;
            }
            const auto nodes =
                choose(*at, taken_, ends_before ? std::vector<std::uint8_t>{} : shadow->kept);
            if (!nodes) {
                return nodes.status();
            }
            if (*nodes) {
                start(*at, **nodes);
                at = queue_.erase(at);
            } else {
                failed.insert(key);
                ++at;
            }
        }
        return Status::ok();
    }

    const Fabric& fabric_;
    const std::vector<TraceJob>& jobs_;
    const PlacementPolicy& policy_;
    Occupancy taken_;
    std::int64_t now_ = 0;
    std::deque<std::size_t> queue_;                     // jobs, in the order of submission
    std::multimap<std::int64_t, std::size_t> running_;  // end -> index into starts
    std::map<Shape, bool> possible_;
    Schedule schedule_;
};

}  // namespace

std::int64_t Schedule::last_end() const {
    std::int64_t last = 0;
    for (const JobStart& start : starts) {
        last = std::max(last, start.end);
    }
    return last;
}

Result<Schedule> play(const Fabric& fabric,
                      const std::vector<TraceJob>& jobs,
                      const PlacementPolicy& policy) {
    return Simulation(fabric, jobs, policy).run();
}

}  // namespace yardmaster
