#include "cli/what_if.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "cli/job_id.hpp"
#include "cli/live_nodes.hpp"
#include "cli/node_sets.hpp"
#include "cli/words.hpp"
#include "topology/rank_plan.hpp"

namespace yardmaster::cli {
namespace {

constexpr PlacementLimits kLimits{1};
/// More jobs than this on one node are only counted.
constexpr std::size_t kMaxJobsNamed = 3;

std::string job_text(const SlurmJob& job) {
    std::string text = "job " + job_id_text(job) + " \"" + job.name + "\" of " + user_name(job.uid);
    return job.end_time != 0 ? text + ", until " + time_text(job.end_time) + " at the latest"
                             : text;
}

class ObstacleFinder {
  public:
    ObstacleFinder(const Fabric& fabric, const PlanRequest& request, const LiveCluster& live)
        : fabric_(fabric), request_(request), records_(live_records(fabric, live.nodes)) {
        for (const SlurmJob& job : live.jobs) {
            for (const std::string& name : job.nodes) {
                jobs_on_[name].push_back(&job);
            }
        }
    }

    std::vector<Obstacle> find(const std::vector<NodeIndex>& wanted) const {
        std::vector<Obstacle> obstacles;
        for (NodeIndex node : wanted) {
            if (request_.request.offers[raw(node)].usable) {
                continue;
            }
            const std::string why = what(node);
            const auto known =
                std::find_if(obstacles.begin(), obstacles.end(), [&why](const Obstacle& obstacle) {
                    return obstacle.what == why;
                });
            if (known != obstacles.end()) {
                known->nodes.push_back(node);
            } else {
                obstacles.push_back({why, {node}});
            }
        }
        return obstacles;
    }

  private:
    std::string what(NodeIndex node) const {
        const auto jobs = jobs_on_.find(fabric_.node(node).name);
        if (jobs != jobs_on_.end()) {
            return jobs_text(jobs->second);
        }
        const SlurmNode* record = records_[raw(node)];
        if (record != nullptr && !record->usable) {
            return record->state + (record->reason.empty() ? "" : ": " + record->reason);
        }
        switch (request_.states[raw(node)]) {
            case CellState::kOut:
                return "Slurm does not have it";
            case CellState::kPartUsed:
                return "part-used";
            default:
                return "taken";
        }
    }

    static std::string jobs_text(const std::vector<const SlurmJob*>& jobs) {
        std::vector<std::string> texts;
        for (std::size_t i = 0; i < jobs.size() && i < kMaxJobsNamed; ++i) {
            texts.push_back(job_text(*jobs[i]));
        }
        if (jobs.size() > kMaxJobsNamed) {
            texts.push_back(std::to_string(jobs.size() - kMaxJobsNamed) + " more");
        }
        return join(texts, "; ");
    }

    const Fabric& fabric_;
    const PlanRequest& request_;
    const std::vector<const SlurmNode*> records_;  // [NodeIndex]
    std::map<std::string, std::vector<const SlurmJob*>> jobs_on_;
};

PlacementRequest on_empty_fabric(const Fabric& fabric, const PlacementRequest& now) {
    PlacementRequest empty =
        request_on_empty_fabric(fabric, now.nodes, now.gpus_per_node, now.hints);
    for (std::size_t i = 0; i < empty.offers.size(); ++i) {
        empty.offers[i].required = now.offers[i].required;
    }
    return empty;
}

/// The best set of an empty fabric; of those that cost the same, one of nodes that are free now.
Result<std::vector<NodeIndex>> best_set(const Placer& placer,
                                        PlacementRequest empty,
                                        const PlacementRequest& now) {
    for (std::size_t i = 0; i < empty.offers.size(); ++i) {
        // Behind communication and balance the placer prefers nodes that others use: here these
        // stand for the free ones.
        empty.offers[i].part_used = now.offers[i].usable;
    }
    auto found = placer.propose(empty, kLimits);
    return found ? Result<std::vector<NodeIndex>>(std::move(found->front().nodes)) : found.status();
}

}  // namespace

bool WhatIf::as_good() const {
    return now && now->score.comm_cost <= best.score.comm_cost &&
           now->score.separate_fabrics <= best.score.separate_fabrics &&
           now->score.leaf_groups <= best.score.leaf_groups;
}

bool WhatIf::same_set() const {
    return now && std::is_permutation(
                      now->nodes.begin(), now->nodes.end(), best.nodes.begin(), best.nodes.end());
}

double WhatIf::slowdown() const {
    return now ? times_as_long(now->facts, best.facts) : 0;
}

Result<WhatIf> ask_what_if(const Fabric& fabric,
                           const CostWeights& weights,
                           const PlanRequest& request,
                           const LiveCluster& live) {
    const Placer placer(fabric, weights);
    const PlacementRequest empty = on_empty_fabric(fabric, request.request);
    const auto best = best_set(placer, empty, request.request);
    if (!best) {
        return best.status();
    }
    WhatIf answer;
    answer.best = make_ranked_column("best when empty", fabric, placer, *best, empty);
    const auto now = placer.propose(request.request, kLimits);
    if (now) {
        // Scored like the best, so that the two can be compared.
        answer.now = make_ranked_column("now", fabric, placer, now->front().nodes, empty);
    } else {
        answer.now_problem = now.status().message();
    }
    if (!answer.as_good()) {
        answer.obstacles = ObstacleFinder(fabric, request, live).find(*best);
    }
    return answer;
}

}  // namespace yardmaster::cli
