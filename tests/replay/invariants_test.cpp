// What must hold for every policy on every fabric: random fabrics, random streams.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "replay/comparison.hpp"
#include "replay/occupancy.hpp"
#include "tests/topology/random_case.hpp"

namespace yardmaster {
namespace {

using testing_support::CaseRules;
using testing_support::RandomCase;

constexpr std::size_t kJobs = 40;

std::vector<TraceJob> random_stream(RandomCase& random, const Fabric& fabric) {
    std::vector<TraceJob> jobs;
    std::int64_t now = 0;
    while (jobs.size() < kJobs) {
        const PlacementRequest request = random.request(fabric);
        TraceJob job;
        job.id = std::to_string(jobs.size());
        job.submit = now;
        job.nodes = request.nodes;
        job.gpus_per_node = request.gpus_per_node;
        job.hints = request.hints;
        if (random.chance(20)) {
            job.gpus_per_node = random.pick(0, 1);
            job.hints = {};
        }
        job.runtime = random.pick(1, 30);
        now += random.pick(0, 8);
        if (check_feasible(job.hints, job.shape(), fabric)) {
            jobs.push_back(job);
        }
    }
    return jobs;
}

class Replay : public testing::TestWithParam<unsigned> {
  protected:
    void SetUp() override {
        CaseRules rules;
        rules.most_nodes = 14;
        rules.several_roots = GetParam() % 3 == 0;
        rules.spanning = GetParam() % 2 == 0;
        rules.exceptions = GetParam() % 5 == 0;
        RandomCase random(GetParam(), rules);
        fabric_ = std::make_unique<Fabric>(random.fabric());
        placer_ = std::make_unique<Placer>(*fabric_);
        jobs_ = random_stream(random, *fabric_);
        auto comparison = compare_policies(*fabric_, *placer_, jobs_, policy_names());
        ASSERT_TRUE(comparison) << comparison.status().message();
        comparison_ = std::move(comparison).value();
        ASSERT_EQ(comparison_.jobs.size(), jobs_.size());
    }

    /// [job] its start; none: it never ran.
    static std::map<std::size_t, const JobStart*> by_job(const Schedule& schedule) {
        std::map<std::size_t, const JobStart*> starts;
        for (const JobStart& start : schedule.starts) {
            EXPECT_TRUE(starts.emplace(start.job, &start).second) << "ran twice: " << start.job;
        }
        return starts;
    }

    std::unique_ptr<Fabric> fabric_;
    std::unique_ptr<Placer> placer_;
    std::vector<TraceJob> jobs_;
    Comparison comparison_;
};

TEST_P(Replay, EveryJobRunsOnceAsLongAsItShouldOnAsManyNodes) {
    for (const PolicyRun& run : comparison_.runs) {
        const auto starts = by_job(run.schedule);
        EXPECT_EQ(starts.size() + run.schedule.impossible.size(), jobs_.size()) << run.policy;
        for (std::size_t job : run.schedule.impossible) {
            EXPECT_FALSE(starts.contains(job));
        }
        for (const auto& [job, start] : starts) {
            EXPECT_GE(start->start, jobs_[job].submit);
            EXPECT_EQ(start->end - start->start, jobs_[job].runtime);
            const std::set<NodeIndex> nodes(start->ranked.begin(), start->ranked.end());
            EXPECT_EQ(nodes.size(), jobs_[job].nodes) << run.policy;
            EXPECT_EQ(start->ranked.size(), jobs_[job].nodes) << run.policy;
        }
    }
}

TEST_P(Replay, OursPlacesEveryJobThatOneFabricHolds) {
    const auto roots = std::count_if(fabric_->units().begin(),
                                     fabric_->units().end(),
                                     [](const SwitchUnit& unit) { return !unit.parent; });
    const bool loose = std::any_of(fabric_->nodes().begin(),
                                   fabric_->nodes().end(),
                                   [](const FabricNode& node) { return !node.leaf; });
    EXPECT_EQ(comparison_.runs.back().policy, "yardmaster");
    for (std::size_t job : comparison_.runs.back().schedule.impossible) {
        // A hard hint is never bent by joining separate fabrics.
        EXPECT_TRUE((jobs_[job].hints.hard() && (roots > 1 || loose)) ||
                    jobs_[job].nodes > fabric_->nodes().size())
            << jobs_[job].nodes << " nodes, " << jobs_[job].hints.to_string();
    }
}

TEST_P(Replay, NoGpuIsUsedTwiceAtOnce) {
    for (const PolicyRun& run : comparison_.runs) {
        for (const JobStart& at : run.schedule.starts) {
            std::vector<std::uint32_t> used(fabric_->nodes().size(), 0);
            for (const JobStart& other : run.schedule.starts) {
                if (other.start <= at.start && at.start < other.end) {
                    const std::uint32_t gpus = jobs_[other.job].gpus_per_node;
                    for (NodeIndex node : other.ranked) {
                        used[raw(node)] += gpus > 0 ? gpus : RandomCase::kGpus;
                    }
                }
            }
            EXPECT_LE(*std::max_element(used.begin(), used.end()), RandomCase::kGpus)
                << run.policy << " at " << at.start;
        }
    }
}

TEST_P(Replay, PromisesToTheFirstInTheQueueAreKept) {
    for (const PolicyRun& run : comparison_.runs) {
        const auto starts = by_job(run.schedule);
        for (const Promise& promise : run.schedule.promises) {
            EXPECT_LE(starts.at(promise.job)->start, promise.start)
                << run.policy << ", job " << promise.job << " at " << promise.made_at;
        }
    }
}

TEST_P(Replay, NobodyOvertakesWithoutAPromiseToTheFirst) {
    for (const PolicyRun& run : comparison_.runs) {
        const auto starts = by_job(run.schedule);
        for (const auto& [job, start] : starts) {
            // The first that still waits when this one starts.
            const auto first = std::find_if(starts.begin(), starts.end(), [&](const auto& entry) {
                return entry.first < job && entry.second->start > start->start;
            });
            if (first == starts.end()) {
                continue;
            }
            const auto& promises = run.schedule.promises;
            EXPECT_TRUE(std::any_of(promises.begin(),
                                    promises.end(),
                                    [&](const Promise& promise) {
                                        return promise.job == first->first &&
                                               promise.made_at == start->start;
                                    }))
                << run.policy << ": job " << job << " before " << first->first;
        }
    }
}

TEST_P(Replay, OursKeepsHardHints) {
    for (const JobStart& start : comparison_.runs.back().schedule.starts) {
        const TraceJob& job = jobs_[start.job];
        const PlacementFacts facts = describe(*fabric_, start.ranked, job.gpus_per_node, job.hints);
        EXPECT_EQ(facts.split_tp_groups, 0U) << job.hints.to_string();
        if (job.hints.leaf) {
            EXPECT_EQ(facts.units_touched.front(), 1U) << job.hints.to_string();
        }
    }
}

TEST_P(Replay, SameStreamGivesTheSameSchedule) {
    const auto again = compare_policies(*fabric_, *placer_, jobs_, policy_names());
    ASSERT_TRUE(again);
    for (std::size_t run = 0; run < again->runs.size(); ++run) {
        const auto& a = comparison_.runs[run].schedule.starts;
        const auto& b = again->runs[run].schedule.starts;
        ASSERT_EQ(a.size(), b.size());
        for (std::size_t i = 0; i < a.size(); ++i) {
            EXPECT_EQ(a[i].job, b[i].job);
            EXPECT_EQ(a[i].start, b[i].start);
            EXPECT_EQ(a[i].ranked, b[i].ranked);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Seeds, Replay, testing::Range(1U, 37U));

}  // namespace
}  // namespace yardmaster
