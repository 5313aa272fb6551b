// --switches=N@time where Slurm knows no switches: leaf groups are counted, and the job waits.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/plugin/fake_host.hpp"

namespace yardmaster::testing {
namespace {

using ::testing::IsEmpty;

TEST(Switches, JobWaitsForSoFewLeafGroups) {
    FakeHost host;  // two leaf groups of four
    host.add_running(1, {0, 4}, 8, 8, 900);
    ym_job* job = FakeHost::new_job(8);
    job->switches = 1;
    EXPECT_EQ(host.test(job, YM_MODE_RUN_NOW, 4), ym_code_nodes_busy());
    EXPECT_THAT(host.calls, IsEmpty());
    EXPECT_EQ(host.test(job, YM_MODE_RUN_NOW, 3), 0);
    job->switches = 2;
    EXPECT_EQ(host.test(job, YM_MODE_RUN_NOW, 4), 0);
    job->switches = 0;  // it has waited long enough
    EXPECT_EQ(host.test(job, YM_MODE_RUN_NOW, 4), 0);
}

TEST(Switches, PlanIsForTheTimeWhenTheyAreFree) {
    FakeHost host;
    host.add_running(1, {0, 4}, 8, 8, FakeHost::kNow + 500);
    host.start_time = [](const StockCall&) { return FakeHost::kNow + 500; };
    ym_job* job = FakeHost::new_job(8);
    job->switches = 1;
    EXPECT_EQ(host.test(job, YM_MODE_WILL_RUN, 4), 0);
    EXPECT_EQ(job->marks.start_time, FakeHost::kNow + 500);
    const NodeSet nodes = host.chosen();
    EXPECT_TRUE(nodes == span(0, 3) || nodes == span(4, 7));
}

TEST(Switches, NothingIsPreemptedForThem) {
    FakeHost host;
    host.add_running(1, {0, 4}, 8, 8, 900);
    ym_list candidates{{1}};
    host.preemptees = &candidates;
    ym_job* job = FakeHost::new_job(8);
    job->switches = 1;
    EXPECT_NE(host.test(job, YM_MODE_RUN_NOW, 4), 0);
    EXPECT_THAT(host.calls, IsEmpty());
}

TEST(Switches, TestAtSubmitIgnoresThem) {
    FakeHost host;
    ym_job* job = FakeHost::new_job(8);
    job->switches = 1;
    EXPECT_EQ(host.test(job, YM_MODE_TEST_ONLY, 8), 0);
}

}  // namespace
}  // namespace yardmaster::testing
