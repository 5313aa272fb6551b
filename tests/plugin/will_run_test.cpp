// WILL_RUN and TEST_ONLY.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/plugin/fake_host.hpp"

namespace yardmaster::testing {
namespace {

using ::testing::Contains;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

constexpr std::uint16_t kWillRun = YM_MODE_WILL_RUN;
constexpr std::uint16_t kTestOnly = YM_MODE_TEST_ONLY;
constexpr std::time_t kSoon = FakeHost::kNow + 600;
constexpr std::time_t kLater = FakeHost::kNow + 3600;

auto refuse_all = [](const StockCall&) { return false; };
auto only_in_future = [](const StockCall& call) { return !call.test_now_only; };

TEST(WillRun, FreeNodesAreTriedNowWithoutSimulation) {
    FakeHost host;
    ym_job* job = FakeHost::new_job(8);
    EXPECT_EQ(host.test(job, kWillRun, 4), 0);
    ASSERT_THAT(host.asked(), ElementsAre(span(0, 3)));
    EXPECT_TRUE(host.calls[0].test_now_only);
    EXPECT_FALSE(job->asks.test_now_only);
}

TEST(WillRun, CallersTestNowOnlyIsKept) {
    FakeHost host;
    ym_job* job = FakeHost::new_job(8);
    job->asks.test_now_only = true;
    EXPECT_EQ(host.test(job, kWillRun, 4), 0);
    EXPECT_TRUE(job->asks.test_now_only);
}

TEST(WillRun, TakesTheSetThatRunNowTakes) {
    FakeHost host;
    host.nodes[1].free_gpus = 0;
    host.test(FakeHost::new_job(8), YM_MODE_RUN_NOW, 4);
    const NodeSet now = host.chosen();
    host.test(FakeHost::new_job(8), kWillRun, 4);
    EXPECT_EQ(host.chosen(), now);
}

TEST(WillRun, HardJobIsPlannedAtTheEarliestEndWithANarrowSet) {
    FakeHost host;
    host.add_running(1, span(0, 3), 8, 8, kLater);
    host.add_running(2, span(4, 7), 8, 8, kSoon);
    host.start_time = [](const StockCall&) { return kSoon; };
    ym_job* job = FakeHost::new_job(8, "leaf");
    EXPECT_EQ(host.test(job, kWillRun, 4), 0);
    ASSERT_THAT(host.asked(), ElementsAre(span(4, 7)));
    EXPECT_FALSE(host.calls[0].test_now_only);
    EXPECT_EQ(host.calls[0].min_nodes, 4U);
    EXPECT_EQ(job->marks.start_time, kSoon);
}

TEST(WillRun, HardJobWaitsUntilAWholeLeafGroupIsFree) {
    FakeHost host;
    host.add_running(1, {0, 1, 4, 5}, 8, 8, kSoon);
    host.add_running(2, {3, 7}, 8, 8, kLater);
    host.start_time = [](const StockCall&) { return kLater; };
    EXPECT_EQ(host.test(FakeHost::new_job(8, "leaf"), kWillRun, 4), 0);
    ASSERT_THAT(host.calls, SizeIs(1));
    EXPECT_EQ(host.chosen(), span(0, 3));
}

TEST(WillRun, RefusedPlanIsTriedAtLaterEnds) {
    FakeHost host;
    host.add_running(1, span(0, 3), 8, 8, kLater);
    host.add_running(2, span(4, 7), 8, 8, kSoon);
    host.accepts = [](const StockCall& call) { return call.nodes.front() == 0; };
    host.start_time = [](const StockCall&) { return kLater; };
    EXPECT_EQ(host.test(FakeHost::new_job(8, "leaf"), kWillRun, 4), 0);
    EXPECT_EQ(host.calls.front().nodes, span(4, 7));
    EXPECT_TRUE(host.calls.back().accepted);
    EXPECT_EQ(host.chosen(), span(0, 3));
}

TEST(WillRun, BestOfSeveralPlansIsTheLastCall) {
    FakeHost host;
    host.add_running(1, span(0, 7), 8, 8, kSoon);
    // The first set's plan is late, the second one's later still: stock ends with the first.
    host.start_time = [](const StockCall& call) { return kLater + call.nodes.front(); };
    ym_job* job = FakeHost::new_job(8, "leaf");
    EXPECT_EQ(host.test(job, kWillRun, 4), 0);
    EXPECT_THAT(host.asked(), ElementsAre(span(0, 3), span(4, 7), span(0, 3)));
    EXPECT_EQ(host.chosen(), span(0, 3));
    EXPECT_EQ(job->marks.start_time, kLater);
}

TEST(WillRun, SoftJobTakesAPlanThatIsNotLate) {
    FakeHost host;
    host.add_running(1, span(0, 7), 8, 8, kSoon);
    host.start_time = [](const StockCall&) { return kSoon; };
    EXPECT_EQ(host.test(FakeHost::new_job(8, "pp2"), kWillRun, 2), 0);
    ASSERT_THAT(host.calls, SizeIs(1));
    EXPECT_THAT(host.calls[0].nodes, SizeIs(2));
}

TEST(WillRun, SoftJobWhosePlanIsLateGetsStocksPlan) {
    FakeHost host;
    host.add_running(1, span(0, 7), 8, 8, kSoon);
    host.start_time = [](const StockCall& call) { return call.nodes.size() > 2 ? kSoon : kLater; };
    ym_job* job = FakeHost::new_job(8, "pp2");
    EXPECT_EQ(host.test(job, kWillRun, 2), 0);
    ASSERT_FALSE(host.calls.empty());
    EXPECT_EQ(host.calls.back().nodes, host.all_nodes());
    EXPECT_FALSE(host.calls.back().test_now_only);
    EXPECT_EQ(job->marks.start_time, kSoon);
}

TEST(WillRun, SoftJobWithCandidatesForPreemptionAsksStockForItsPlan) {
    FakeHost host;
    host.add_running(1, span(0, 7), 8, 8, kSoon);
    ym_list candidates{{1}};
    host.preemptees = &candidates;
    EXPECT_EQ(host.test(FakeHost::new_job(8, "pp2"), kWillRun, 2), 0);
    ASSERT_THAT(host.asked(), ElementsAre(host.all_nodes()));
    EXPECT_TRUE(host.calls[0].with_preemptees);
}

TEST(WillRun, HardJobWithoutAnyPlanIsBusyAndNeverAsksWithEverything) {
    FakeHost host;
    host.add_running(1, span(0, 7), 8, 8, kSoon);
    host.accepts = refuse_all;
    ym_job* job = FakeHost::new_job(8, "leaf");
    EXPECT_EQ(host.test(job, kWillRun, 4), ym_code_nodes_busy());
    EXPECT_THAT(host.asked(), Each(SizeIs(4)));
    EXPECT_EQ(job->marks.start_time, 10);
}

TEST(WillRun, HardJobThatNoEndHelpsMakesNoCall) {
    FakeHost host;
    host.nodes[0].free_gpus = 0;  // nobody's: will not come back
    host.nodes[4].free_gpus = 0;
    host.add_running(1, {1}, 8, 8, kSoon);
    EXPECT_EQ(host.test(FakeHost::new_job(8, "leaf"), kWillRun, 4), ym_code_nodes_busy());
    EXPECT_THAT(host.calls, IsEmpty());
}

TEST(WillRun, HardJobThatMayOnlyStartNowIsNotPlanned) {
    FakeHost host;
    host.add_running(1, span(0, 7), 8, 8, kSoon);
    ym_job* job = FakeHost::new_job(8, "leaf");
    job->asks.test_now_only = true;
    EXPECT_EQ(host.test(job, kWillRun, 4), ym_code_nodes_busy());
    EXPECT_THAT(host.calls, IsEmpty());
}

TEST(WillRun, SoftJobRefusedNowIsPlanned) {
    FakeHost host;
    host.accepts = only_in_future;
    host.add_running(1, {0}, 8, 8, kSoon);
    ym_job* job = FakeHost::new_job(8);
    EXPECT_EQ(host.test(job, kWillRun, 2), 0);
    EXPECT_TRUE(host.calls.front().test_now_only);
    EXPECT_FALSE(host.calls.back().test_now_only);
    EXPECT_FALSE(job->asks.test_now_only);
}

TEST(WillRun, JobWithoutGpusThatCannotStartIsPlannedByStock) {
    FakeHost host;
    host.add_running(1, span(0, 7), 0, 64, kSoon);
    EXPECT_EQ(host.test(FakeHost::new_job(0), kWillRun, 2), 0);
    EXPECT_THAT(host.asked(), ElementsAre(host.all_nodes()));
    EXPECT_FALSE(host.calls[0].test_now_only);
}

TEST(WillRun, SuspendedJobsGpusComeBackAtItsEnd) {
    FakeHost host;
    host.add_running(1, span(0, 7), 8, 0, kSoon);
    host.start_time = [](const StockCall&) { return kSoon; };
    EXPECT_EQ(host.test(FakeHost::new_job(8, "leaf"), kWillRun, 4), 0);
    EXPECT_THAT(host.asked(), ElementsAre(span(0, 3)));
}

TEST(TestOnly, NarrowTrySuffices) {
    FakeHost host;
    EXPECT_EQ(host.test(FakeHost::new_job(8, "leaf"), kTestOnly, 4), 0);
    ASSERT_THAT(host.calls, SizeIs(1));
    EXPECT_THAT(host.calls[0].nodes, SizeIs(4));
}

TEST(TestOnly, BusyNodesCountAsFree) {
    FakeHost host;
    host.add_running(1, span(0, 7), 8, 64, kLater);
    host.nodes[3].free_gpus = 0;
    EXPECT_EQ(host.test(FakeHost::new_job(8), kTestOnly, 4), 0);
    EXPECT_THAT(host.asked(), ElementsAre(span(0, 3)));
}

TEST(TestOnly, HardHintAgainstTheFabricIsNotEnforced) {
    FakeHost host;
    EXPECT_EQ(host.test(FakeHost::new_job(8, "leaf"), kTestOnly, 6), 0);
    EXPECT_EQ(host.test(FakeHost::new_job(8, "tp64"), kTestOnly, 8), 0);
    EXPECT_EQ(host.test(FakeHost::new_job(4, "rail"), kTestOnly, 2), 0);
}

TEST(TestOnly, RefusedTryIsPutToStockWithEverything) {
    FakeHost host;
    host.accepts = [](const StockCall& call) { return call.nodes.size() == 8; };
    EXPECT_EQ(host.test(FakeHost::new_job(8, "leaf"), kTestOnly, 4), 0);
    ASSERT_THAT(host.calls, SizeIs(2));
    EXPECT_EQ(host.calls.back().nodes, host.all_nodes());
}

TEST(TestOnly, StocksNoIsReturned) {
    FakeHost host;
    host.accepts = refuse_all;
    EXPECT_EQ(host.test(FakeHost::new_job(8, "leaf"), kTestOnly, 4), kStockRefuses);
    EXPECT_EQ(host.calls.back().nodes, host.all_nodes());
}

TEST(TestOnly, MoreNodesThanTheFabricHasIsStocksToJudge) {
    FakeHost host;
    EXPECT_EQ(host.test(FakeHost::new_job(8, "leaf"), kTestOnly, 9), kStockRefuses);
    EXPECT_THAT(host.asked(), ElementsAre(host.all_nodes()));
}

TEST(TestOnly, HardJobWithoutFabricGetsStocksAnswer) {
    FakeHost host;
    host.remove_fabric();
    EXPECT_EQ(host.test(FakeHost::new_job(8, "leaf"), kTestOnly, 4), 0);
    EXPECT_THAT(host.asked(), ElementsAre(host.all_nodes()));
}

}  // namespace
}  // namespace yardmaster::testing
