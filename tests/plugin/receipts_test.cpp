// The receipt's way from the choice into AdminComment.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plugin/abi/select_hooks.h"
#include "tests/plugin/fake_host.hpp"
#include "topology/receipt.hpp"

namespace yardmaster::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;

constexpr std::uint16_t kRunNow = YM_MODE_RUN_NOW;

Receipt receipt_on(const ym_job& job) {
    auto receipt = parse_receipt(job.admin_comment.value_or(""));
    EXPECT_TRUE(receipt) << receipt.status().message();
    return receipt ? *receipt : Receipt{};
}

/// The job is placed and begins.
void start(FakeHost& host, ym_job* job, std::uint32_t nodes) {
    EXPECT_EQ(host.test(job, kRunNow, nodes), 0);
    ym_hook_job_begin(job);
    job->asks.pending = false;
}

TEST(Receipts, AppearWhenTheJobBegins) {
    FakeHost host;
    ym_job* job = FakeHost::new_job(8, "tp8&pp2");
    EXPECT_EQ(host.test(job, kRunNow, 4), 0);
    EXPECT_FALSE(job->admin_comment);
    ym_hook_job_begin(job);
    const Receipt receipt = receipt_on(*job);
    EXPECT_EQ(receipt.chooser, Receipt::Chooser::kYardmaster);
    EXPECT_EQ(receipt.hints.to_string(), "tp8&pp2");
    EXPECT_EQ(receipt.nodes, 4U);
    EXPECT_EQ(receipt.gpus_per_node, 8U);
    EXPECT_EQ(receipt.facts.tp_groups, 4U);
    EXPECT_EQ(receipt.facts.units_touched[0], 1U);
    EXPECT_EQ(receipt.rank, 0U);
    EXPECT_EQ(receipt.note, "");
}

TEST(Receipts, RankCountsRefusedSets) {
    FakeHost host;
    host.accepts = [](const StockCall& call) { return call.nodes.front() >= 4; };
    ym_job* job = FakeHost::new_job(8, "leaf");
    start(host, job, 4);
    EXPECT_EQ(receipt_on(*job).rank, 1U);
}

TEST(Receipts, HoldThePredictedTimeAndTheBestOfThen) {
    FakeHost host;
    ym_job* job = FakeHost::new_job(8, "tp8&pp2");
    start(host, job, 4);
    const Receipt receipt = receipt_on(*job);
    EXPECT_GT(receipt.seconds, 0);
    EXPECT_EQ(receipt.best_seconds, receipt.seconds) << "its first choice, in a good order";
}

TEST(Receipts, HoldNoTimeWhereNoLinkIsKnown) {
    FakeHost host;
    host.write_fabric(R"({"version": 1, "node_types": {"t": {"gpus": 8}},
                          "nodes": {"n[0-7]": "t"}})");
    ym_job* job = FakeHost::new_job(8, "pp2");
    start(host, job, 2);
    const Receipt receipt = receipt_on(*job);
    EXPECT_EQ(receipt.chooser, Receipt::Chooser::kYardmaster);
    EXPECT_EQ(receipt.seconds, 0);
    EXPECT_EQ(receipt.best_seconds, 0);
}

TEST(Receipts, CompareWithTheSetThatStockRefused) {
    FakeHost host;
    host.add_running(1, {0, 1, 2}, 8, 64, 900);
    // Two nodes of the second leaf group are the best; stock wants the last of the first one.
    host.accepts = [](const StockCall& call) { return call.nodes.front() == 3; };
    ym_job* job = FakeHost::new_job(8, "dp2");
    start(host, job, 2);
    const Receipt receipt = receipt_on(*job);
    EXPECT_EQ(receipt.facts.units_touched[0], 2U);
    EXPECT_GT(receipt.rank, 0U);
    EXPECT_GT(receipt.best_seconds, 0);
    EXPECT_LT(receipt.best_seconds, receipt.seconds);
}

TEST(Receipts, HoldTheGpusThatWereChosen) {
    FakeHost host;
    host.nodes.resize(2);
    host.add_running_on(1, {0}, 0b11, 4, 900);
    ym_job* part = FakeHost::new_job(4);
    start(host, part, 2);
    EXPECT_EQ(receipt_on(*part).gpus, 0xF0U);
    host.nodes[0].held = 0;
    host.nodes[0].free_gpus = 8;
    ym_hook_resources_moved();
    ym_job* whole = FakeHost::new_job(8);
    start(host, whole, 2);
    EXPECT_EQ(receipt_on(*whole).gpus, 0U) << "all of them: nothing was chosen";
}

TEST(Receipts, SayThatStockRefusedTheGpusThatWereChosen) {
    FakeHost host;
    host.nodes.resize(2);
    host.accepts = [](const StockCall& call) { return call.hidden.front() == 0; };
    ym_job* job = FakeHost::new_job(4);
    start(host, job, 2);
    EXPECT_EQ(receipt_on(*job).gpus, 0U);
    EXPECT_EQ(receipt_on(*job).note,
              "stock cons_tres refused the GPUs chosen, 0-3, and took its own");
}

TEST(Receipts, SayWhenStockChoseFreely) {
    FakeHost host;
    host.accepts = [](const StockCall& call) { return call.nodes.size() == 8; };
    ym_job* job = FakeHost::new_job(8, "pp2");
    start(host, job, 2);
    const Receipt receipt = receipt_on(*job);
    EXPECT_EQ(receipt.chooser, Receipt::Chooser::kStock);
    EXPECT_GT(receipt.rank, 0U);
    EXPECT_EQ(receipt.nodes, 2U);
    EXPECT_THAT(receipt.note, HasSubstr("stock cons_tres refused the best "));
    EXPECT_GT(receipt.best_seconds, 0) << "of the set that was refused";
}

TEST(Receipts, SayThatNodesAreNotInTheFabricFile) {
    FakeHost host;
    host.nodes = {{.name = "x0"}, {.name = "x1"}};
    ym_hook_nodes_changed();
    ym_job* job = FakeHost::new_job(8);
    start(host, job, 2);
    EXPECT_THAT(receipt_on(*job).note, HasSubstr("2 nodes are not in the fabric file"));
}

TEST(Receipts, NoneWhenRunNowFails) {
    FakeHost host;
    ym_job* job = FakeHost::new_job(8);
    EXPECT_EQ(host.test(job, kRunNow, 2), 0);
    host.accepts = [](const StockCall&) { return false; };
    EXPECT_NE(host.test(job, kRunNow, 2), 0);
    ym_hook_job_begin(job);
    EXPECT_FALSE(job->admin_comment);
}

TEST(Receipts, NoneForPlansAndTests) {
    FakeHost host;
    ym_job* job = FakeHost::new_job(8);
    EXPECT_EQ(host.test(job, YM_MODE_WILL_RUN, 2), 0);
    EXPECT_EQ(host.test(job, YM_MODE_TEST_ONLY, 2), 0);
    ym_hook_job_begin(job);
    EXPECT_FALSE(job->admin_comment);
}

TEST(Receipts, NoneForJobsWithoutGpusAndHints) {
    FakeHost host;
    ym_job* job = FakeHost::new_job(0);
    start(host, job, 2);
    EXPECT_FALSE(job->admin_comment);
}

TEST(Receipts, WrittenOnlyOnce) {
    FakeHost host;
    ym_job* job = FakeHost::new_job(8);
    start(host, job, 2);
    job->admin_comment.reset();
    ym_hook_job_begin(job);
    EXPECT_FALSE(job->admin_comment);
}

TEST(Receipts, ClearedAtRequeue) {
    FakeHost host;
    ym_job* job = FakeHost::new_job(8);
    start(host, job, 2);
    job->requeued = true;
    ym_hook_job_fini(job);
    EXPECT_FALSE(job->admin_comment);
}

TEST(Receipts, KeptAtANormalEnd) {
    FakeHost host;
    ym_job* job = FakeHost::new_job(8);
    start(host, job, 2);
    const auto before = job->admin_comment;
    ym_hook_job_fini(job);
    EXPECT_TRUE(before);
    EXPECT_EQ(job->admin_comment, before);
}

TEST(Receipts, OfAnEarlierStartGoesWhenThePendingJobIsLookedAt) {
    FakeHost host;
    ym_job* job = FakeHost::new_job(8);
    start(host, job, 2);
    job->asks.pending = true;
    EXPECT_EQ(host.test(job, YM_MODE_WILL_RUN, 2), 0);
    EXPECT_FALSE(job->admin_comment);
}

TEST(Receipts, LeaveAnothersCommentAloneAndGoToTheLog) {
    FakeHost host;
    ym_job* job = FakeHost::new_job(8);
    job->admin_comment = "ticket 17";
    start(host, job, 2);
    EXPECT_EQ(job->admin_comment, "ticket 17");
    ASSERT_FALSE(host.log.empty());
    EXPECT_EQ(host.log.back().level, YM_LOG_INFO);
    EXPECT_THAT(host.log.back().text, HasSubstr("yardmaster: by=yardmaster"));
    job->requeued = true;
    ym_hook_job_fini(job);
    EXPECT_EQ(job->admin_comment, "ticket 17");
}

TEST(Receipts, ReplaceAnEmptyComment) {
    FakeHost host;
    ym_job* job = FakeHost::new_job(8);
    job->admin_comment = "";
    start(host, job, 2);
    EXPECT_EQ(receipt_on(*job).nodes, 2U);
}

}  // namespace
}  // namespace yardmaster::testing
