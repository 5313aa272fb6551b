// The rank sheet's way from the choice into the job's SPANK environment.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plugin/abi/select_hooks.h"
#include "tests/plugin/fake_host.hpp"
#include "topology/rank_sheet.hpp"

namespace yardmaster::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::SizeIs;

constexpr std::uint16_t kRunNow = YM_MODE_RUN_NOW;

void start(FakeHost& host, ym_job* job, std::uint32_t nodes) {
    EXPECT_EQ(host.test(job, kRunNow, nodes), 0);
    EXPECT_EQ(job->env.count(kRankSheetEnv), 0U) << "a choice is no start yet";
    ym_hook_job_begin(job);
}

RankSheet sheet_on(const ym_job& job) {
    const auto found = job.env.find(kRankSheetEnv);
    if (found == job.env.end()) {
        ADD_FAILURE() << "the job has no rank sheet";
        return {};
    }
    const auto sheet = parse_rank_sheet(found->second);
    EXPECT_TRUE(sheet) << sheet.status().message();
    return sheet ? *sheet : RankSheet{};
}

TEST(RankNote, ComesWithTheStart) {
    FakeHost host;
    ym_job* job = FakeHost::new_job(8, "tp8&pp2");
    start(host, job, 2);
    const RankSheet sheet = sheet_on(*job);
    EXPECT_EQ(sheet.order, RankOrder::kDomain);
    EXPECT_EQ(sheet.hints.to_string(), "tp8&pp2");
    EXPECT_EQ(sheet.gpus_per_node, 8U);
    EXPECT_THAT(sheet.nodes, SizeIs(2));
}

TEST(RankNote, WithoutAFabricTheOrderIsSlurms) {
    FakeHost host;
    host.remove_fabric();
    ym_job* job = FakeHost::new_job(8, "pp2");
    start(host, job, 2);
    const RankSheet sheet = sheet_on(*job);
    EXPECT_EQ(sheet.order, RankOrder::kSlurm);
    EXPECT_THAT(sheet.nodes, ElementsAre("n0", "n1"));
    EXPECT_EQ(sheet.hints.to_string(), "pp2");
}

TEST(RankNote, NodesThatTheFabricLacksLeaveTheOrderToSlurm) {
    FakeHost host;
    host.nodes = {{.name = "x0"}, {.name = "x1"}};
    ym_hook_nodes_changed();
    ym_job* job = FakeHost::new_job(8, "pp2");
    start(host, job, 2);
    EXPECT_EQ(sheet_on(*job).order, RankOrder::kSlurm);
    EXPECT_THAT(sheet_on(*job).nodes, ElementsAre("x0", "x1"));
}

TEST(RankNote, AnEarlierOneIsReplacedOrTakenAway) {
    FakeHost host;
    ym_job* job = FakeHost::new_job(8, "tp8");
    job->env[kRankSheetEnv] = "order=domain nodes=forged";
    EXPECT_EQ(host.test(job, kRunNow, 2), 0);
    ym_hook_job_begin(job);
    EXPECT_THAT(sheet_on(*job).nodes, SizeIs(2));
    ym_job* plain = FakeHost::new_job(0);
    plain->env[kRankSheetEnv] = "order=domain nodes=forged";
    EXPECT_EQ(host.test(plain, kRunNow, 2), 0);
    ym_hook_job_begin(plain);
    EXPECT_EQ(plain->env.count(kRankSheetEnv), 0U);
}

TEST(RankNote, NoneWhereItWouldNotReachEveryNode) {
    FakeHost host;
    host.prolog_at_allocation = false;
    ym_job* job = FakeHost::new_job(8, "tp8");
    start(host, job, 2);
    EXPECT_EQ(job->env.count(kRankSheetEnv), 0U);
}

TEST(RankNote, GpusOfTheWholeJobCountAsStockDealtThemOut) {
    FakeHost host;
    ym_job* job = FakeHost::new_job(0, "pp2");
    job->asks.gpus_per_job = 8;
    job->held_gpus = {4, 4};
    start(host, job, 2);
    EXPECT_EQ(sheet_on(*job).gpus_per_node, 4U);
    EXPECT_EQ(sheet_on(*job).order, RankOrder::kDomain);
    EXPECT_FALSE(sheet_on(*job).uneven);
}

TEST(RankNote, UnevenGpusAreSaidAndGiveNoRanks) {
    FakeHost host;
    ym_job* job = FakeHost::new_job(0, "pp2");
    job->asks.gpus_per_job = 12;
    job->held_gpus = {4, 8};
    start(host, job, 2);
    EXPECT_TRUE(sheet_on(*job).uneven);
    EXPECT_EQ(sheet_on(*job).gpus_per_node, 0U);
    EXPECT_EQ(sheet_on(*job).order, RankOrder::kSlurm);
    EXPECT_THAT(sheet_on(*job).nodes, SizeIs(2));
}

TEST(RankNote, ExclusiveJobIsRankedByTheGpusItAskedFor) {
    FakeHost host;
    ym_job* job = FakeHost::new_job(4, "tp4");
    job->held_gpus = {8, 8};
    start(host, job, 2);
    EXPECT_EQ(sheet_on(*job).gpus_per_node, 4U);
}

}  // namespace
}  // namespace yardmaster::testing
