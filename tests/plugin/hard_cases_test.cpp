// Cases in which the plugins once gave a worse answer than stock Slurm would have.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plugin/abi/job_submit_hooks.h"
#include "plugin/abi/select_hooks.h"
#include "tests/plugin/fake_host.hpp"

namespace yardmaster::testing {
namespace {

using ::testing::SizeIs;

TEST(RunNow, GpusOfAJobWithoutNodeCountMaySpread) {
    FakeHost host;
    host.add_running(1, span(0, 7), 4, 8, 9999999);
    ym_job* job = FakeHost::new_job(0);
    job->asks.gpus_per_job = 8;
    host.accepts = [](const StockCall& call) { return call.nodes.size() == 8; };
    EXPECT_EQ(host.test(job, YM_MODE_RUN_NOW, 1, 8, 1), 0);
    ASSERT_FALSE(host.calls.empty());
    EXPECT_EQ(host.calls.back().nodes, host.all_nodes());
}

TEST(RunNow, LighterNodesOutsideTheFabricAreNotPassedOver) {
    FakeHost host;
    for (FakeNode& n : host.nodes)
        n.weight = 100;
    host.nodes.push_back({.name = "cpu0", .gpus = 0, .free_gpus = 0});
    host.nodes.push_back({.name = "cpu1", .gpus = 0, .free_gpus = 0});
    EXPECT_EQ(host.test(FakeHost::new_job(0), YM_MODE_RUN_NOW, 2), 0);
    ASSERT_FALSE(host.calls.empty());
    EXPECT_THAT(host.calls.back().nodes, ::testing::Contains(8));
    EXPECT_THAT(host.calls.back().nodes, ::testing::Contains(9));
}

class AcceptedCall : public ::testing::TestWithParam<const char*> {};
TEST_P(AcceptedCall, IsNotUndoneByAnExceptionInTheReceipt) {
    FakeHost host;
    ym_job* job = FakeHost::new_job(8, GetParam());
    host.accepts = [&](const StockCall&) {
        host.throw_in = "ym_bitmap_count";
        return host.calls.empty();
    };
    EXPECT_EQ(host.test(job, YM_MODE_RUN_NOW, 2), 0);
    EXPECT_THAT(host.calls, SizeIs(1));
}

INSTANTIATE_TEST_SUITE_P(Hints, AcceptedCall, ::testing::Values("leaf", "pp2"));

TEST(JobModify, NewSizeWithNewPreferIsCheckedAgainstTheHints) {
    FakeHost host;
    ym_job* job = FakeHost::new_job(8, "leaf");
    job->submission.min_nodes = job->submission.max_nodes = 2;
    job->submission.tres_per_node = "gres:gpu:8";
    ym_job_desc u;
    u.submission.prefer = "fast";
    u.submission.min_nodes = u.submission.max_nodes = 5;
    char message[200];
    EXPECT_EQ(ym_hook_job_modify(&u, job, message, sizeof(message)), YM_SUBMIT_IMPOSSIBLE);
    ym_job_desc v;
    v.submission.contiguous = true;
    EXPECT_EQ(ym_hook_job_modify(&v, job, message, sizeof(message)), YM_SUBMIT_BAD_HINT);
}

TEST(Guard, StrangeExceptionLeavesSoftJobToStock) {
    FakeHost host;
    host.throw_in = "ym_node_gpus";
    host.throw_strange = true;
    EXPECT_EQ(host.test(FakeHost::new_job(8), YM_MODE_RUN_NOW, 2), 0);
}

TEST(RunNow, RequiredNodeNotOfferedIsNotOfferedToStock) {
    FakeHost host;
    ym_bitmap b;
    b.bits = {0, 1, 2};
    ym_job* job = FakeHost::new_job(8);
    job->required = {7};
    ym_job_test t{};
    t.job = job;
    t.bitmap = &b;
    t.min_nodes = t.max_nodes = t.req_nodes = 2;
    ym_hook_job_test(&t);
    EXPECT_THAT(host.calls.back().nodes, ::testing::Not(::testing::Contains(7)));
}

}  // namespace
}  // namespace yardmaster::testing
