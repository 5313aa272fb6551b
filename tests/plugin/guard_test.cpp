// No fabric, unreadable hints, and exceptions inside: stock places soft jobs, hard ones wait.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plugin/abi/select_hooks.h"
#include "tests/plugin/fake_host.hpp"
#include "topology/receipt.hpp"

namespace yardmaster::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr std::uint16_t kRunNow = YM_MODE_RUN_NOW;
constexpr std::uint16_t kWillRun = YM_MODE_WILL_RUN;

Receipt begin(ym_job* job) {
    ym_hook_job_begin(job);
    auto receipt = parse_receipt(job->admin_comment.value_or(""));
    EXPECT_TRUE(receipt) << receipt.status().message();
    return receipt ? *receipt : Receipt{};
}

TEST(NoFabric, SoftJobGoesToStockAndItsReceiptSaysWhy) {
    FakeHost host;
    host.remove_fabric();
    ym_job* job = FakeHost::new_job(8, "pp2");
    EXPECT_EQ(host.test(job, kRunNow, 2), 0);
    EXPECT_THAT(host.asked(), ElementsAre(host.all_nodes()));
    const Receipt receipt = begin(job);
    EXPECT_EQ(receipt.chooser, Receipt::Chooser::kStock);
    EXPECT_EQ(receipt.note, "no usable fabric file");
    EXPECT_EQ(receipt.nodes, 2U);
}

TEST(NoFabric, HardJobWaitsWithOneErrorLineAJob) {
    FakeHost host;
    host.remove_fabric();
    ym_job* job = FakeHost::new_job(8, "leaf");
    ym_job* other = FakeHost::new_job(8, "tp8");
    EXPECT_EQ(host.test(job, kRunNow, 2), ym_code_nodes_busy());
    EXPECT_EQ(host.test(job, kWillRun, 2), ym_code_nodes_busy());
    EXPECT_EQ(host.test(job, kRunNow, 2), ym_code_nodes_busy());
    EXPECT_EQ(host.test(other, kRunNow, 2), ym_code_nodes_busy());
    EXPECT_THAT(host.calls, IsEmpty());
    EXPECT_EQ(host.errors_with("job " + std::to_string(job->asks.job_id) + " with hard hints"), 1);
    EXPECT_EQ(host.errors_with("job " + std::to_string(other->asks.job_id) + " with hard hints"),
              1);
}

TEST(NoFabric, IsToldOnceAReconfigure) {
    FakeHost host;
    host.remove_fabric();
    host.test(FakeHost::new_job(8), kRunNow, 2);
    host.test(FakeHost::new_job(8), kRunNow, 2);
    EXPECT_EQ(host.errors_with("no usable fabric file"), 1);
}

TEST(NoFabric, BrokenFileIsToldWhenTheNodesAreRead) {
    FakeHost host;
    host.write_fabric("{\"version\": 1");
    ym_hook_nodes_changed();
    EXPECT_EQ(host.errors_with("no usable fabric file"), 1);
    EXPECT_EQ(host.errors_with("fabric.json"), 1);
}

TEST(NoFabric, MendedFileIsTakenUpAtASecondReconfigureWithinTheSameSecond) {
    FakeHost host;
    host.remove_fabric();
    ym_job* job = FakeHost::new_job(8, "leaf");
    EXPECT_NE(host.test(job, kRunNow, 2), 0);
    host.rewrite_fabric();
    host.generation -= 1;  // as it was before the file was written
    ym_hook_nodes_changed();
    EXPECT_NE(host.test(job, kRunNow, 2), 0) << "an update of a partition is no reason to look";
    ym_hook_conf_read();
    EXPECT_EQ(host.test(job, kRunNow, 2), 0);
}

TEST(NoFabric, MendedFileIsTakenUpAtReconfigureAndNotBefore) {
    FakeHost host;
    host.remove_fabric();
    ym_job* job = FakeHost::new_job(8, "leaf");
    EXPECT_NE(host.test(job, kRunNow, 2), 0);
    host.write_fabric(R"({"version": 1, "node_types": {"t": {"gpus": 8}},
        "nodes": {"n[0-7]": "t"}, "switches": [{"name": "s", "nodes": "n[6-7]"}]})");
    host.generation -= 1;
    EXPECT_NE(host.test(job, kRunNow, 2), 0);
    host.reconfigure();
    EXPECT_EQ(host.test(job, kRunNow, 2), 0);
    EXPECT_EQ(host.chosen(), span(6, 7));
}

TEST(UnreadableHints, MakeTheJobWait) {
    FakeHost host;
    ym_job* job = FakeHost::new_job(8, "tp8&nonsense");
    EXPECT_EQ(host.test(job, kRunNow, 2), ym_code_nodes_busy());
    EXPECT_THAT(host.calls, IsEmpty());
    EXPECT_EQ(host.errors_with("nonsense"), 1);
}

TEST(UnreadableHints, AreNotEnforcedByTestOnly) {
    FakeHost host;
    EXPECT_EQ(host.test(FakeHost::new_job(8, "nonsense"), YM_MODE_TEST_ONLY, 2), 0);
}

class GuardIn : public ::testing::TestWithParam<const char*> {};

TEST_P(GuardIn, ExceptionLeavesASoftJobToStock) {
    FakeHost host;
    ym_hook_nodes_changed();  // so that the node map is built inside the call
    host.throw_in = GetParam();
    host.throw_after = host.throw_in == "ym_bitmap_count" ? 1 : 0;  // the guard's own comes first
    ym_job* job = FakeHost::new_job(8, "pp2");
    EXPECT_EQ(host.test(job, kRunNow, 2), 0);
    EXPECT_TRUE(host.throw_in.empty());
    EXPECT_THAT(host.asked(), ElementsAre(host.all_nodes()));
    EXPECT_EQ(host.errors_with("internal error: the test wants it"), 1);
    EXPECT_EQ(begin(job).note, "internal error, see the log");
}

TEST_P(GuardIn, ExceptionMakesAHardJobWaitUnchanged) {
    FakeHost host;
    ym_hook_nodes_changed();
    host.throw_in = GetParam();
    host.throw_after = host.throw_in == "ym_bitmap_count" ? 1 : 0;
    ym_job* job = FakeHost::new_job(8, "leaf");
    EXPECT_EQ(host.test(job, kRunNow, 2), ym_code_nodes_busy());
    EXPECT_THAT(host.calls, IsEmpty());
    EXPECT_EQ(host.chosen(), host.all_nodes());
    EXPECT_EQ(job->marks.start_time, 10);
    EXPECT_EQ(host.errors_with("internal error: the test wants it"), 1);
    EXPECT_EQ(host.test(job, kRunNow, 2), 0) << "the next call is as good as ever";
}

INSTANTIATE_TEST_SUITE_P(Calls,
                         GuardIn,
                         ::testing::Values("ym_node_count",
                                           "ym_node_gpus",
                                           "ym_for_each_holding",
                                           "ym_node_sched_weight",
                                           "ym_bitmap_count",
                                           "ym_call_stock"));

TEST(Guard, ExceptionAfterRefusalsRestoresTheJob) {
    FakeHost host;
    host.accepts = [](const StockCall&) { return false; };
    host.throw_in = "ym_call_stock";
    host.throw_after = 1;
    ym_job* job = FakeHost::new_job(8, "leaf");
    EXPECT_EQ(host.test(job, kWillRun, 4), ym_code_nodes_busy());
    EXPECT_THAT(host.calls, SizeIs(1));
    EXPECT_EQ(host.chosen(), host.all_nodes());
    EXPECT_EQ(job->marks.start_time, 10);
    EXPECT_EQ(job->marks.min_cpus, 40U);
    EXPECT_FALSE(job->asks.test_now_only);
}

TEST(Guard, ExceptionInTestOnlyLeavesAHardJobToStock) {
    FakeHost host;
    host.throw_in = "ym_node_gpus";
    EXPECT_EQ(host.test(FakeHost::new_job(8, "leaf"), YM_MODE_TEST_ONLY, 2), 0);
    EXPECT_THAT(host.asked(), ElementsAre(host.all_nodes()));
}

TEST(Guard, StrangeExceptionDoesNotLeave) {
    FakeHost host;
    host.throw_in = "ym_node_gpus";
    host.throw_strange = true;
    EXPECT_EQ(host.test(FakeHost::new_job(8, "leaf"), kRunNow, 2), ym_code_nodes_busy());
    EXPECT_EQ(host.errors_with("unknown kind"), 1);
}

}  // namespace
}  // namespace yardmaster::testing
