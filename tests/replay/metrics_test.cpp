#include "replay/metrics.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "replay/comparison.hpp"
#include "tests/replay/stream.hpp"
#include "tests/topology/fabric_maker.hpp"

namespace yardmaster {
namespace {

using testing::ElementsAre;
using testing_support::FabricMaker;
using testing_support::stream;

/// Two racks of two nodes with four GPUs: 0, 1 | 2, 3.
Fabric two_racks() {
    FabricMaker maker(4, true);
    const UnitIndex core = maker.unit();
    maker.domain(maker.leaf(core, 2));
    maker.domain(maker.leaf(core, 2));
    return maker.make();
}

JobStart start(std::size_t job,
               std::int64_t begin,
               std::int64_t end,
               const std::vector<std::uint32_t>& nodes) {
    JobStart entry{job, begin, end, {}};
    for (std::uint32_t node : nodes) {
        entry.ranked.push_back(NodeIndex{node});
    }
    return entry;
}

class Metrics : public testing::Test {
  protected:
    Metrics() : fabric_(two_racks()), placer_(fabric_) {
        jobs_ = stream({{0, 2, 4, 10, "tp8"}, {0, 1, 4, 5, ""}, {4, 2, 4, 10, "tp4"}});
        Schedule schedule;
        schedule.starts = {start(0, 0, 10, {0, 2}), start(1, 2, 7, {1}), start(2, 10, 20, {1, 3})};
        metrics_ = Judge(fabric_, jobs_, placer_).judge(schedule, 40);
    }

    const Fabric fabric_;
    const Placer placer_;
    std::vector<TraceJob> jobs_;
    PolicyMetrics metrics_;
};

TEST_F(Metrics, SplitTpGroupsAreCounted) {
    EXPECT_EQ(metrics_.jobs, 3U);
    EXPECT_EQ(metrics_.tp_jobs, 2U);
    EXPECT_EQ(metrics_.split_jobs, 1U);
    EXPECT_EQ(metrics_.tp_groups, 3U);
    EXPECT_EQ(metrics_.split_tp_groups, 1U);
}

TEST_F(Metrics, DpRingsAreFollowedOverTheTree) {
    // tp8 on eight GPUs has no DP group of several. tp4 has four pairs, all between the racks. The
    // four GPUs without hints are one ring inside a node.
    EXPECT_EQ(metrics_.dp_edges, 4U);
    EXPECT_EQ(metrics_.dp_edges_off_rail, 0U);
    EXPECT_THAT(metrics_.dp_edges_leaving, ElementsAre(4, 0));
    ASSERT_EQ(metrics_.spread.size(), 2U);
    EXPECT_EQ(metrics_.spread[0].most, 2U);
    // (2 x 8 GPUs x 10 s + 1 x 4 GPUs x 5 s) / (80 + 20)
    EXPECT_DOUBLE_EQ(metrics_.spread[0].weighted, 1.8);
    EXPECT_DOUBLE_EQ(metrics_.spread[1].weighted, 1);
}

TEST_F(Metrics, TimeIsComparedWithTheBestOnAnEmptyFabric) {
    const auto time = [&](const std::vector<NodeIndex>& nodes, const char* hints) {
        return describe(fabric_, nodes, 4, *parse_hints(hints)).predicted_seconds;
    };
    const std::vector<NodeIndex> apart{NodeIndex{0}, NodeIndex{2}};
    const std::vector<NodeIndex> together{NodeIndex{0}, NodeIndex{1}};
    const double tp8 = time(apart, "tp8") / time(together, "tp8");
    const double tp4 = time(apart, "tp4") / time(together, "tp4");
    EXPECT_GT(tp8, 2);
    EXPECT_GT(tp4, 1);
    EXPECT_NEAR(metrics_.slowdown.mean, (tp8 + 1 + tp4) / 3, 1e-9);
    EXPECT_NEAR(metrics_.slowdown.p95, std::max(tp8, tp4), 1e-9);
}

TEST_F(Metrics, WaitingAndUse) {
    EXPECT_DOUBLE_EQ(metrics_.wait.mean, (0 + 2 + 6) / 3.0);
    EXPECT_DOUBLE_EQ(metrics_.wait.p95, 6);
    EXPECT_EQ(metrics_.makespan, 20);
    // (8 x 10 + 4 x 5 + 8 x 10) of 16 x 40.
    EXPECT_DOUBLE_EQ(metrics_.utilisation, 180.0 / 640);
    // Both racks are in use until 20, and free for the rest of 40.
    EXPECT_DOUBLE_EQ(metrics_.free_domains, 1);
    EXPECT_DOUBLE_EQ(metrics_.free_leaf_groups, 1);
}

TEST_F(Metrics, WindowCutsJobsOff) {
    Schedule schedule;
    schedule.starts = {start(1, 2, 7, {1})};
    const PolicyMetrics metrics = Judge(fabric_, jobs_, placer_).judge(schedule, 4);
    EXPECT_DOUBLE_EQ(metrics.utilisation, 8.0 / 64);
    EXPECT_DOUBLE_EQ(metrics.free_domains, 1.5);
}

TEST_F(Metrics, ImbalanceIsOfJobsInSeveralLeafGroups) {
    const auto jobs = stream({{0, 3, 4, 10, ""}, {0, 1, 4, 10, ""}});
    Schedule schedule;
    schedule.starts = {start(0, 0, 10, {0, 1, 2}), start(1, 0, 10, {3})};
    EXPECT_DOUBLE_EQ(Judge(fabric_, jobs, placer_).judge(schedule, 10).imbalance, 1);
}

TEST_F(Metrics, EmptyScheduleHasNoNumbers) {
    const PolicyMetrics metrics = Judge(fabric_, jobs_, placer_).judge({}, 0);
    EXPECT_EQ(metrics.jobs, 0U);
    EXPECT_EQ(metrics.slowdown.mean, 0);
    EXPECT_EQ(metrics.utilisation, 0);
}

TEST(Distribution, PercentileIsByNearestRank) {
    std::vector<double> values;
    for (int i = 20; i >= 1; --i) {
        values.push_back(i);
    }
    EXPECT_DOUBLE_EQ(distribution_of(values).mean, 10.5);
    EXPECT_DOUBLE_EQ(distribution_of(values).p95, 19);
    EXPECT_DOUBLE_EQ(distribution_of({7}).p95, 7);
}

TEST(Comparison, JobsThatSubmitRefusesAreLeftOut) {
    const Fabric fabric = two_racks();
    const Placer placer(fabric);
    const auto jobs = stream({{0, 4, 4, 10, "tp16"}, {0, 2, 4, 10, "tp8"}});
    const auto comparison = compare_policies(fabric, placer, jobs, policy_names());
    ASSERT_TRUE(comparison) << comparison.status().message();
    ASSERT_EQ(comparison->refused.size(), 1U);
    EXPECT_EQ(comparison->refused[0].job.id, "0");
    EXPECT_THAT(comparison->refused[0].reason, testing::HasSubstr("tp16"));
    ASSERT_EQ(comparison->runs.size(), 4U);
    EXPECT_EQ(comparison->window, 10);
}

TEST(Comparison, UnknownPolicyIsAnError) {
    const Fabric fabric = two_racks();
    const Placer placer(fabric);
    const auto comparison = compare_policies(fabric, placer, {}, {"best"});
    EXPECT_EQ(comparison.status().code(), ErrorCode::kInvalidArgument);
    EXPECT_THAT(comparison.status().message(), testing::HasSubstr("\"best\""));
}

}  // namespace
}  // namespace yardmaster
