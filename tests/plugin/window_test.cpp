// WILL_RUN with a window, as backfill asks from 24.11 on: a start not before, ends not after.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/plugin/fake_host.hpp"

namespace yardmaster::testing {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr std::uint16_t kWillRun = YM_MODE_WILL_RUN;
constexpr std::time_t kSoon = FakeHost::kNow + 600;
constexpr std::time_t kBetween = FakeHost::kNow + 1800;
constexpr std::time_t kLater = FakeHost::kNow + 3600;

/// Stock answers with "now" when a job fits at the beginning of a window that lies ahead.
auto at_once = [](const StockCall&) { return FakeHost::kNow; };

TEST(Window, StartAheadIsPlannedAndNotTriedNow) {
    FakeHost host;
    host.earliest = kSoon;
    host.start_time = at_once;
    EXPECT_EQ(host.test(FakeHost::new_job(8, "leaf"), kWillRun, 4), 0);
    ASSERT_THAT(host.asked(), ElementsAre(span(0, 3)));
    EXPECT_FALSE(host.calls[0].test_now_only);
}

TEST(Window, NodesThatAreFreeByThenCount) {
    FakeHost host;
    host.earliest = kBetween;
    host.start_time = at_once;
    host.add_running(1, span(0, 3), 8, 8, kSoon);
    host.add_running(2, span(4, 7), 8, 8, kLater);
    EXPECT_EQ(host.test(FakeHost::new_job(8, "leaf"), kWillRun, 4), 0);
    EXPECT_THAT(host.asked(), ElementsAre(span(0, 3)));
}

TEST(Window, SoftJobsSetAtAStartAheadIsNotLate) {
    FakeHost host;
    host.earliest = kBetween;
    host.start_time = at_once;
    host.add_running(1, span(0, 7), 8, 8, kSoon);
    EXPECT_EQ(host.test(FakeHost::new_job(8, "pp2"), kWillRun, 2), 0);
    ASSERT_THAT(host.calls, SizeIs(1));
    EXPECT_THAT(host.calls[0].nodes, SizeIs(2));
}

TEST(Window, HardJobDoesNotWaitForJobsThatEndAfterIt) {
    FakeHost host;
    host.latest_end = kSoon;
    host.add_running(1, span(0, 7), 8, 8, kLater);
    EXPECT_EQ(host.test(FakeHost::new_job(8, "leaf"), kWillRun, 4), ym_code_nodes_busy());
    EXPECT_THAT(host.calls, IsEmpty());
}

TEST(Window, HardJobTakesAnEndWithinIt) {
    FakeHost host;
    host.latest_end = kBetween;
    host.add_running(1, span(0, 3), 8, 8, kLater);
    host.add_running(2, span(4, 7), 8, 8, kSoon);
    host.start_time = [](const StockCall&) { return kSoon; };
    EXPECT_EQ(host.test(FakeHost::new_job(8, "leaf"), kWillRun, 4), 0);
    EXPECT_THAT(host.asked(), ElementsAre(span(4, 7)));
}

TEST(Window, SoftJobWithoutAPlanWithinItGetsStocksAnswer) {
    FakeHost host;
    host.latest_end = kSoon;
    host.add_running(1, span(0, 7), 8, 8, kLater);
    host.accepts = [](const StockCall&) { return false; };
    EXPECT_EQ(host.test(FakeHost::new_job(8, "pp2"), kWillRun, 2), kStockRefuses);
    EXPECT_EQ(host.calls.back().nodes, host.all_nodes());
    EXPECT_FALSE(host.calls.back().test_now_only);
}

TEST(Window, CandidatesForPreemptionAreTriedForNowAlone) {
    FakeHost host;
    host.add_running(1, span(0, 7), 8, 8, kLater);
    ym_list candidates{{1}};
    host.preemptees = &candidates;
    EXPECT_EQ(host.test(FakeHost::new_job(8, "leaf"), kWillRun, 4), 0);
    ASSERT_THAT(host.calls, SizeIs(1));
    EXPECT_THAT(host.calls, Each(Field(&StockCall::with_preemptees, true)));
    EXPECT_THAT(host.calls, Each(Field(&StockCall::test_now_only, true)));
}

}  // namespace
}  // namespace yardmaster::testing
