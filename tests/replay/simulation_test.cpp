// The queue, by hand: four or five nodes, first fit.
#include "replay/simulation.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/replay/stream.hpp"
#include "tests/topology/fabric_maker.hpp"

namespace yardmaster {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing_support::FabricMaker;
using testing_support::JobLine;
using testing_support::stream;

Fabric one_leaf(std::uint32_t nodes) {
    FabricMaker maker(8);
    maker.leaf(std::nullopt, nodes);
    return maker.make();
}

Schedule played(const Fabric& fabric, const std::vector<JobLine>& lines) {
    const auto policy = make_first_fit_policy(fabric);
    auto schedule = play(fabric, stream(lines), *policy);
    EXPECT_TRUE(schedule) << schedule.status().message();
    return schedule ? *schedule : Schedule{};
}

/// [job] start times; -1: never.
std::vector<std::int64_t> starts_of(const Schedule& schedule, std::size_t jobs) {
    std::vector<std::int64_t> times(jobs, -1);
    for (const JobStart& start : schedule.starts) {
        times[start.job] = start.start;
    }
    return times;
}

std::vector<std::uint32_t> nodes_of(const Schedule& schedule, std::size_t job) {
    for (const JobStart& start : schedule.starts) {
        if (start.job == job) {
            std::vector<std::uint32_t> nodes;
            for (NodeIndex node : start.ranked) {
                nodes.push_back(static_cast<std::uint32_t>(node));
            }
            return nodes;
        }
    }
    return {};
}

TEST(Simulation, JobsStartInOrderAndWaitForNodes) {
    const Schedule schedule = played(one_leaf(4), {{0, 3, 8, 10, ""}, {1, 4, 8, 5, ""}});
    EXPECT_THAT(starts_of(schedule, 2), ElementsAre(0, 10));
    EXPECT_EQ(schedule.last_end(), 15);
}

TEST(Simulation, ShortJobIsFilledInBeforeTheFirst) {
    const Schedule schedule = played(
        one_leaf(4), {{0, 3, 8, 10, ""}, {1, 4, 8, 5, ""}, {2, 1, 8, 8, ""}, {3, 1, 8, 1, ""}});
    // Job 2 ends at 10, when job 1 is due; job 3 finds no node until job 1 has ended.
    EXPECT_THAT(starts_of(schedule, 4), ElementsAre(0, 10, 2, 15));
    ASSERT_FALSE(schedule.promises.empty());
    EXPECT_EQ(schedule.promises[0].job, 1U);
    EXPECT_EQ(schedule.promises[0].start, 10);
}

TEST(Simulation, JobThatWouldDelayTheFirstWaits) {
    const Schedule schedule =
        played(one_leaf(4), {{0, 3, 8, 10, ""}, {1, 4, 8, 5, ""}, {2, 1, 8, 9, ""}});
    EXPECT_THAT(starts_of(schedule, 3), ElementsAre(0, 10, 15));
}

TEST(Simulation, LongJobIsFilledInOnNodesTheFirstDoesNotNeed) {
    const Schedule schedule =
        played(one_leaf(5), {{0, 3, 8, 10, ""}, {1, 4, 8, 5, ""}, {2, 1, 8, 100, ""}});
    EXPECT_THAT(starts_of(schedule, 3), ElementsAre(0, 10, 2));
    EXPECT_THAT(nodes_of(schedule, 1), ElementsAre(0, 1, 2, 3));
    EXPECT_THAT(nodes_of(schedule, 2), ElementsAre(4));
}

TEST(Simulation, JobsShareANodeByGpus) {
    const Schedule schedule = played(
        one_leaf(1), {{0, 1, 4, 10, ""}, {0, 1, 4, 10, ""}, {0, 1, 1, 10, ""}, {0, 1, 0, 5, ""}});
    // Eight GPUs are two times four. The job without GPUs wants the whole node.
    EXPECT_THAT(starts_of(schedule, 4), ElementsAre(0, 0, 10, 20));
}

TEST(Simulation, JobThatNeverFitsLeavesTheQueue) {
    const Schedule schedule =
        played(one_leaf(2), {{0, 3, 8, 10, ""}, {0, 1, 9, 10, ""}, {0, 2, 8, 10, ""}});
    EXPECT_THAT(schedule.impossible, ElementsAre(0, 1));
    EXPECT_THAT(starts_of(schedule, 3), ElementsAre(-1, -1, 0));
}

TEST(Simulation, EndsComeBeforeStartsOfTheSameSecond) {
    const Schedule schedule = played(one_leaf(1), {{0, 1, 8, 10, ""}, {10, 1, 8, 10, ""}});
    EXPECT_THAT(starts_of(schedule, 2), ElementsAre(0, 10));
    EXPECT_THAT(schedule.promises, IsEmpty());
}

/// Fails in a way that is no waiting.
class BrokenPolicy final : public PlacementPolicy {
  public:
    std::string_view name() const override { return "broken"; }
    Result<std::vector<NodeIndex>> choose(const PlacementRequest&) const override {
        return Status(ErrorCode::kInternal, "out of order");
    }
    std::vector<NodeIndex> rank(const std::vector<NodeIndex>& nodes,
                                const PlacementRequest&) const override {
        return nodes;
    }
};

TEST(Simulation, ErrorOfAPolicyNamesTheJob) {
    const Fabric fabric = one_leaf(1);
    const auto schedule = play(fabric, stream({{0, 1, 8, 10, ""}}), BrokenPolicy());
    ASSERT_FALSE(schedule);
    EXPECT_EQ(schedule.status().message(), "job 0 with broken: out of order");
}

}  // namespace
}  // namespace yardmaster
