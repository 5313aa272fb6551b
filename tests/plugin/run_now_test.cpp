// RUN_NOW: which sets stock is asked about, in which order, and what follows a refusal.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plugin/abi/select_hooks.h"
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

constexpr std::uint16_t kRunNow = YM_MODE_RUN_NOW;
constexpr std::time_t kLater = FakeHost::kNow + 3600;

auto refuse_all = [](const StockCall&) { return false; };

bool wide(const StockCall& call) {
    return call.nodes.size() > 4;
}

bool within_a_leaf_group(const StockCall& call) {
    return call.nodes.back() < 4 || call.nodes.front() >= 4;
}

void expect_marks(const ym_job& job) {
    EXPECT_EQ(job.marks.start_time, 10);
    EXPECT_EQ(job.marks.total_cpus, 20U);
    EXPECT_EQ(job.marks.pn_min_memory, 30U);
    EXPECT_EQ(job.marks.min_cpus, 40U);
    EXPECT_FALSE(job.marks.best_switch);
}

TEST(RunNow, EmptyClusterGivesOneCallWithTheBestSet) {
    FakeHost host;
    host.nodes[1].free_gpus = 0;  // leaf group a has three left
    EXPECT_EQ(host.test(FakeHost::new_job(8), kRunNow, 4), 0);
    EXPECT_THAT(host.asked(), ElementsAre(span(4, 7)));
    EXPECT_EQ(host.chosen(), span(4, 7));
}

TEST(RunNow, NarrowCallDemandsEveryNodeOfTheSet) {
    FakeHost host;
    host.test(FakeHost::new_job(8), kRunNow, 4);
    ASSERT_THAT(host.calls, SizeIs(1));
    EXPECT_EQ(host.calls[0].min_nodes, 4U);
    EXPECT_EQ(host.calls[0].max_nodes, 4U);
    EXPECT_EQ(host.calls[0].req_nodes, 4U);
    EXPECT_EQ(host.calls[0].mode, kRunNow);
}

TEST(RunNow, RefusedSetGivesTheNextBest) {
    FakeHost host;
    host.accepts = [](const StockCall& call) { return call.nodes.front() >= 4; };
    EXPECT_EQ(host.test(FakeHost::new_job(8, "leaf"), kRunNow, 4), 0);
    EXPECT_THAT(host.asked(), ElementsAre(span(0, 3), span(4, 7)));
    EXPECT_EQ(host.chosen(), span(4, 7));
}

TEST(RunNow, EveryTryFindsTheJobAsItWas) {
    FakeHost host;
    host.accepts = wide;
    host.test(FakeHost::new_job(8), kRunNow, 2);
    ASSERT_GT(host.calls.size(), 2U);
    for (const StockCall& call : host.calls) {
        EXPECT_EQ(call.marks.start_time, 10);
        EXPECT_EQ(call.marks.total_cpus, 20U);
        EXPECT_EQ(call.marks.pn_min_memory, 30U);
        EXPECT_EQ(call.marks.min_cpus, 40U);
        EXPECT_FALSE(call.marks.best_switch);
    }
}

TEST(RunNow, SoftJobFallsBackToStocksChoiceLast) {
    FakeHost host;
    host.accepts = wide;
    EXPECT_EQ(host.test(FakeHost::new_job(8), kRunNow, 2), 0);
    ASSERT_FALSE(host.calls.empty());
    EXPECT_EQ(host.calls.back().nodes, host.all_nodes());
    EXPECT_TRUE(host.calls.back().accepted);
    for (std::size_t i = 0; i + 1 < host.calls.size(); ++i) {
        EXPECT_THAT(host.calls[i].nodes, SizeIs(2));
    }
}

TEST(RunNow, NoSetIsAskedAboutTwice) {
    FakeHost host;
    host.accepts = [](const StockCall&) { return false; };
    ym_job* job = FakeHost::new_job(8, "leaf");
    EXPECT_NE(host.test(job, kRunNow, 2), 0);
    const auto asked = host.asked();
    EXPECT_GE(asked.size(), 2U);
    EXPECT_EQ(std::set<NodeSet>(asked.begin(), asked.end()).size(), asked.size());
}

TEST(RunNow, SoftJobAsksAboutAtMostEightSets) {
    FakeHost host;
    host.accepts = wide;
    host.test(FakeHost::new_job(8), kRunNow, 1);
    EXPECT_LE(host.calls.size(), 9U);
    EXPECT_GE(host.calls.size(), 2U);  // how many depends on the placer's time, too
}

TEST(RunNow, SoftJobThatStockRefusesGetsStocksCode) {
    FakeHost host;
    host.accepts = refuse_all;
    ym_job* job = FakeHost::new_job(8, "pp2");
    EXPECT_EQ(host.test(job, kRunNow, 2), kStockRefuses);
    EXPECT_EQ(host.calls.back().nodes, host.all_nodes());
    expect_marks(*job);
}

TEST(RunNow, SoftJobLeavesPreemptionToStockWithEverything) {
    FakeHost host;
    host.add_running(1, span(0, 7), 8, 8, kLater);
    ym_list candidates{{1}};
    host.preemptees = &candidates;
    EXPECT_EQ(host.test(FakeHost::new_job(8, "pp2"), kRunNow, 2), 0);
    ASSERT_THAT(host.calls, SizeIs(1));
    EXPECT_EQ(host.calls[0].nodes, host.all_nodes());
    EXPECT_TRUE(host.calls[0].with_preemptees);
}

TEST(RunNow, SoftJobPreemptsOnlyAfterEverySetWithoutPreemption) {
    FakeHost host;
    ym_list candidates{{1}};
    host.add_running(1, {0}, 8, 8, kLater);
    host.preemptees = &candidates;
    host.accepts = [](const StockCall& call) { return call.with_preemptees; };
    EXPECT_EQ(host.test(FakeHost::new_job(8, "pp2"), kRunNow, 2), 0);
    ASSERT_GT(host.calls.size(), 1U);
    EXPECT_EQ(host.calls.back().nodes, host.all_nodes());
    host.calls.pop_back();
    EXPECT_THAT(host.calls, Each(Field(&StockCall::with_preemptees, false)));
    EXPECT_THAT(host.asked(), Each(SizeIs(2)));
}

TEST(RunNow, HardJobNeverCallsStockWithEverything) {
    FakeHost host;
    host.accepts = refuse_all;
    ym_job* job = FakeHost::new_job(8, "leaf");
    EXPECT_EQ(host.test(job, kRunNow, 4), ym_code_nodes_busy());
    EXPECT_THAT(host.asked(), ElementsAre(span(0, 3), span(4, 7)));
    expect_marks(*job);
}

TEST(RunNow, HardHintThatAnyNodesKeepLeavesTheLastWordToStock) {
    FakeHost host;
    host.accepts = wide;  // e.g. a topology plugin that wants other groups than ours
    ym_job* job = FakeHost::new_job(8, "tp8");
    EXPECT_EQ(host.test(job, kRunNow, 4), 0);
    ASSERT_GT(host.calls.size(), 1U);
    EXPECT_EQ(host.calls.back().nodes, host.all_nodes());
    EXPECT_EQ(host.calls.back().max_nodes, 4U);
}

TEST(RunNow, HardJobGetsFromStocksChoiceNoNodeUnknownToTheFabric) {
    FakeHost host;
    host.nodes.push_back({"stranger"});
    host.accepts = wide;
    EXPECT_EQ(host.test(FakeHost::new_job(8, "tp8"), kRunNow, 4), 0);
    EXPECT_EQ(host.calls.back().nodes, span(0, 7));
}

TEST(RunNow, TpGroupsOfSeveralNodesAreNeverLeftToStock) {
    FakeHost host;
    host.accepts = refuse_all;
    host.test(FakeHost::new_job(4, "tp8"), kRunNow, 4);
    EXPECT_THAT(host.asked(), Each(Not(host.all_nodes())));
}

TEST(RunNow, HardJobWithoutASetIsBusyWithoutACall) {
    FakeHost host;
    host.nodes[0].free_gpus = 7;
    host.nodes[7].free_gpus = 7;
    ym_job* job = FakeHost::new_job(8, "leaf");
    EXPECT_EQ(host.test(job, kRunNow, 4), ym_code_nodes_busy());
    EXPECT_THAT(host.calls, IsEmpty());
    expect_marks(*job);
}

TEST(RunNow, HardJobPreemptsOnlyAfterSetsWithoutPreemption) {
    FakeHost host;
    host.add_running(1, span(0, 3), 8, 8, kLater);
    ym_list candidates{{1}};
    host.preemptees = &candidates;
    host.accepts = [](const StockCall& call) { return call.with_preemptees; };
    EXPECT_EQ(host.test(FakeHost::new_job(8, "leaf"), kRunNow, 4), 0);
    ASSERT_GT(host.calls.size(), 1U);
    EXPECT_EQ(host.calls[0].nodes, span(4, 7));
    EXPECT_FALSE(host.calls[0].with_preemptees);
    EXPECT_TRUE(host.calls[1].with_preemptees);
    EXPECT_TRUE(within_a_leaf_group(host.calls.back()));
}

TEST(RunNow, HardJobThatFitsNowPreemptsNobody) {
    FakeHost host;
    host.add_running(1, span(0, 3), 8, 8, kLater);
    ym_list candidates{{1}};
    host.preemptees = &candidates;
    EXPECT_EQ(host.test(FakeHost::new_job(8, "leaf"), kRunNow, 4), 0);
    ASSERT_THAT(host.calls, SizeIs(1));
    EXPECT_FALSE(host.calls[0].with_preemptees);
    EXPECT_EQ(host.chosen(), span(4, 7));
}

TEST(RunNow, RequiredNodesAreInEverySet) {
    FakeHost host;
    host.accepts = wide;
    ym_job* job = FakeHost::new_job(8);
    job->required = {2, 6};
    EXPECT_EQ(host.test(job, kRunNow, 3), 0);
    ASSERT_GT(host.calls.size(), 1U);
    for (const StockCall& call : host.calls) {
        EXPECT_THAT(call.nodes, Contains(2));
        EXPECT_THAT(call.nodes, Contains(6));
    }
}

TEST(RunNow, HardJobWithRequiredNodesApartIsBusy) {
    FakeHost host;
    ym_job* job = FakeHost::new_job(8, "leaf");
    job->required = {2, 6};
    EXPECT_EQ(host.test(job, kRunNow, 3), ym_code_nodes_busy());
    EXPECT_THAT(host.calls, IsEmpty());
}

TEST(RunNow, RequiredNodeThatIsTakenStillReachesStock) {
    FakeHost host;
    host.nodes[2].free_gpus = 0;
    host.accepts = refuse_all;
    ym_job* job = FakeHost::new_job(8);
    job->required = {2};
    host.test(job, kRunNow, 2);
    ASSERT_THAT(host.calls, SizeIs(1));
    EXPECT_EQ(host.calls[0].nodes, host.all_nodes());
}

TEST(RunNow, TooFewFreeGpusGivesSoftJobOnePlainCall) {
    FakeHost host;
    host.add_running(1, span(0, 6), 4, 8, kLater);
    host.accepts = refuse_all;
    EXPECT_EQ(host.test(FakeHost::new_job(8, "pp2"), kRunNow, 2), kStockRefuses);
    EXPECT_THAT(host.asked(), ElementsAre(NodeSet{7}));
}

TEST(RunNow, TooFewFreeGpusGivesHardJobNoCall) {
    FakeHost host;
    host.add_running(1, span(0, 6), 4, 8, kLater);
    EXPECT_EQ(host.test(FakeHost::new_job(8, "tp8"), kRunNow, 2), ym_code_nodes_busy());
    EXPECT_THAT(host.calls, IsEmpty());
}

TEST(RunNow, CheaperClassIsTakenFirst) {
    FakeHost host;
    for (std::size_t i = 0; i < 4; ++i) {
        host.nodes[i].weight = 100;
    }
    host.nodes[5].free_gpus = 0;
    EXPECT_EQ(host.test(FakeHost::new_job(8), kRunNow, 3), 0);
    EXPECT_THAT(host.asked(), ElementsAre(NodeSet{4, 6, 7}));
}

TEST(RunNow, HeavyNodesAreTakenWhenTheCheapOnesDoNotSuffice) {
    FakeHost host;
    for (const std::size_t i : {0, 1, 2, 4}) {
        host.nodes[i].weight = 100;
    }
    EXPECT_EQ(host.test(FakeHost::new_job(8), kRunNow, 5), 0);
    ASSERT_THAT(host.calls, SizeIs(1));
    for (const std::int32_t cheap : {3, 5, 6, 7}) {
        EXPECT_THAT(host.calls[0].nodes, Contains(cheap));
    }
}

TEST(RunNow, JobWithoutGpusIsPlacedWhereCpusAreFree) {
    FakeHost host;
    host.add_running(1, span(0, 3), 0, 64, kLater);
    host.nodes[5].free_gpus = 0;
    EXPECT_EQ(host.test(FakeHost::new_job(0), kRunNow, 4), 0);
    EXPECT_THAT(host.asked(), ElementsAre(span(4, 7)));
}

TEST(RunNow, ExclusiveJobGetsNoNodeOfAnotherJob) {
    FakeHost host;
    host.add_running(1, {0, 5}, 0, 1, kLater);
    ym_job* job = FakeHost::new_job(4);
    job->asks.whole_node = true;
    host.accepts = refuse_all;
    host.test(job, kRunNow, 2);
    ASSERT_FALSE(host.calls.empty());
    for (const StockCall& call : host.calls) {
        EXPECT_THAT(call.nodes, Not(Contains(0)));
        EXPECT_THAT(call.nodes, Not(Contains(5)));
    }
}

TEST(RunNow, RailOnAllGpusTakesOnlyWholeNodes) {
    FakeHost host;
    host.nodes[0].free_gpus = 7;
    EXPECT_EQ(host.test(FakeHost::new_job(8, "rail"), kRunNow, 4), 0);
    EXPECT_THAT(host.asked(), ElementsAre(span(4, 7)));
}

TEST(RunNow, RangeTakesAsManyNodesAsAreFree) {
    FakeHost host;
    host.nodes[0].free_gpus = 0;
    host.nodes[5].free_gpus = 0;
    EXPECT_EQ(host.test(FakeHost::new_job(8), kRunNow, 2, 8, 8), 0);
    ASSERT_THAT(host.calls, SizeIs(1));
    EXPECT_EQ(host.calls[0].nodes, (NodeSet{1, 2, 3, 4, 6, 7}));
    EXPECT_EQ(host.calls[0].min_nodes, 2U);
    EXPECT_EQ(host.calls[0].max_nodes, 8U);
}

TEST(RunNow, RangeOfAHardJobTakesWholeTpGroups) {
    FakeHost host;
    host.write_fabric(R"({"version": 1,
        "node_types": {"t": {"gpus": 8, "nvlink_gigabytes_per_s": 450}},
        "nodes": {"n[0-7]": "t"},
        "nvlink_domains": {"d0": "n[0-3]", "d1": "n[4-7]"}})");
    host.nodes[3].free_gpus = 0;
    EXPECT_EQ(host.test(FakeHost::new_job(8, "tp16"), kRunNow, 2, 8, 8), 0);
    ASSERT_THAT(host.calls, SizeIs(1));
    EXPECT_THAT(host.calls[0].nodes, SizeIs(6));
    EXPECT_EQ(host.calls[0].min_nodes, 6U);
}

TEST(RunNow, RangeBelowItsMinimumAsksStockOnce) {
    FakeHost host;
    host.add_running(1, span(1, 7), 1, 8, kLater);
    EXPECT_EQ(host.test(FakeHost::new_job(8), kRunNow, 2, 8, 8), kStockRefuses);
    EXPECT_THAT(host.asked(), ElementsAre(NodeSet{0}));
}

TEST(RunNow, EstimateWithoutNodeCountLooksForThatManyNodes) {
    FakeHost host;
    ym_job* job = FakeHost::new_job(0);
    job->asks.gpus_per_job = 32;
    EXPECT_EQ(host.test(job, kRunNow, 1, 8, 1), 0);
    EXPECT_THAT(host.asked(), ElementsAre(span(0, 3)));
    EXPECT_EQ(host.calls[0].min_nodes, 1U);
    EXPECT_EQ(host.calls[0].max_nodes, 8U);
}

TEST(RunNow, NodesUnknownToTheFabricAreLeftToStock) {
    FakeHost host;
    host.nodes.push_back({.name = "other"});
    host.accepts = [](const StockCall& call) { return call.nodes.back() == 8; };
    EXPECT_EQ(host.test(FakeHost::new_job(8), kRunNow, 2), 0);
    ASSERT_GT(host.calls.size(), 1U);
    EXPECT_EQ(host.calls.back().nodes, span(0, 8));
    host.calls.pop_back();
    EXPECT_THAT(host.asked(), Each(Not(Contains(8))));
}

TEST(RunNow, HardJobNeverGetsNodesUnknownToTheFabric) {
    FakeHost host;
    for (FakeNode& node : host.nodes) {
        node.name = "other" + node.name;
    }
    ym_hook_nodes_changed();
    EXPECT_EQ(host.test(FakeHost::new_job(8, "leaf"), kRunNow, 2), ym_code_nodes_busy());
    EXPECT_THAT(host.calls, IsEmpty());
}

TEST(RunNow, RenumberedNodeTableLeavesNoStaleIndex) {
    FakeHost host;
    EXPECT_EQ(host.test(FakeHost::new_job(8, "leaf"), kRunNow, 4), 0);
    std::swap(host.nodes[0], host.nodes[7]);  // n7 n1 n2 n3 n4 n5 n6 n0
    host.nodes.insert(host.nodes.begin(), FakeNode{.name = ""});
    ym_hook_nodes_changed();
    host.calls.clear();
    host.accepts = refuse_all;
    host.test(FakeHost::new_job(8, "leaf"), kRunNow, 4);
    EXPECT_THAT(host.asked(),
                ::testing::UnorderedElementsAre(NodeSet{2, 3, 4, 8}, NodeSet{1, 5, 6, 7}));
}

TEST(RunNow, FabricReadAgainAtReconfigureIsUsed) {
    FakeHost host;
    EXPECT_EQ(host.test(FakeHost::new_job(8, "leaf"), kRunNow, 4), 0);
    host.write_fabric(R"({"version": 1, "node_types": {"t": {"gpus": 8}},
        "nodes": {"n[0-7]": "t"},
        "switches": [{"name": "only", "nodes": "n[0,2,4,6]"}]})");
    host.calls.clear();
    EXPECT_EQ(host.test(FakeHost::new_job(8, "leaf"), kRunNow, 4), 0);
    EXPECT_THAT(host.asked(), ElementsAre(NodeSet{0, 2, 4, 6}));
}

}  // namespace
}  // namespace yardmaster::testing
