// Calls that go to stock as they came.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/plugin/fake_host.hpp"

namespace yardmaster::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::SizeIs;

/// Expects that `job` is put to stock once, with everything and with the candidates.
void expect_as_it_came(FakeHost& host, ym_job* job, std::uint32_t nodes = 2) {
    ym_list candidates{{1}};
    host.preemptees = &candidates;
    for (const std::uint16_t mode : {YM_MODE_RUN_NOW, YM_MODE_TEST_ONLY, YM_MODE_WILL_RUN}) {
        host.calls.clear();
        EXPECT_EQ(host.test(job, mode, nodes), 0);
        ASSERT_THAT(host.asked(), ElementsAre(host.all_nodes())) << "mode " << mode;
        EXPECT_TRUE(host.calls[0].with_preemptees);
        EXPECT_EQ(host.calls[0].mode, mode);
        EXPECT_EQ(host.calls[0].min_nodes, nodes);
    }
}

TEST(LeftToStock, TestOfAReservationIsPassedOn) {
    FakeHost host;
    ym_job* job = FakeHost::new_job(8);
    job->asks.job_id = 0;
    expect_as_it_came(host, job);
}

TEST(LeftToStock, JobWithoutDetailsIsPassedOn) {
    FakeHost host;
    ym_job* job = FakeHost::new_job(8);
    job->asks.has_details = false;
    expect_as_it_came(host, job);
}

TEST(LeftToStock, JobWithoutNodesIsPassedOn) {
    FakeHost host;
    expect_as_it_came(host, FakeHost::new_job(0), 0);
}

TEST(LeftToStock, FeatureCountsArePassedOnEvenWithHardHints) {
    FakeHost host;
    ym_job* job = FakeHost::new_job(8, "leaf");
    job->asks.feature_counts = true;
    expect_as_it_came(host, job);
}

TEST(LeftToStock, ContiguousSoftJobIsPassedOn) {
    FakeHost host;
    ym_job* job = FakeHost::new_job(8, "pp2");
    job->asks.contiguous = true;
    expect_as_it_came(host, job);
}

TEST(LeftToStock, SpreadSoftJobIsPassedOn) {
    FakeHost host;
    ym_job* job = FakeHost::new_job(8, "pp2");
    job->asks.spread = true;
    expect_as_it_came(host, job);
}

TEST(LeftToStock, SharingSoftJobIsPassedOn) {
    FakeHost host;
    ym_job* job = FakeHost::new_job(8);
    job->asks.may_share = true;
    expect_as_it_came(host, job);
}

TEST(LeftToStock, SoftJobUnderLeastLoadedSchedulingIsPassedOn) {
    FakeHost host;
    host.least_loaded = true;
    expect_as_it_came(host, FakeHost::new_job(8));
}

TEST(LeftToStock, HardJobUnderLeastLoadedSchedulingIsOurs) {
    FakeHost host;
    host.least_loaded = true;
    EXPECT_EQ(host.test(FakeHost::new_job(8, "leaf"), YM_MODE_RUN_NOW, 4), 0);
    EXPECT_THAT(host.asked(), ElementsAre(span(0, 3)));
}

}  // namespace
}  // namespace yardmaster::testing
