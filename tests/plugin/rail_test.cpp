// Which GPUs stock gets to see: hidden during its calls, shown again after each.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/plugin/fake_host.hpp"
#include "topology/index_set.hpp"

namespace yardmaster::testing {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr const char* kOneLeafGroup = R"({
  "version": 1,
  "node_types": {"t": {"gpus": 8, "nvlink_gigabytes_per_s": 450, "rails": [
    {"nic": "m0", "gbps": 400}, {"nic": "m1", "gbps": 400}, {"nic": "m2", "gbps": 400},
    {"nic": "m3", "gbps": 400}, {"nic": "m4", "gbps": 400}, {"nic": "m5", "gbps": 400},
    {"nic": "m6", "gbps": 400}, {"nic": "m7", "gbps": 400}]}},
  "nodes": {"n[0-7]": "t"},
  "exceptions": [)";
constexpr const char* kEnd = "]}";

void write_exceptions(FakeHost& host, const std::string& exceptions) {
    host.write_fabric(kOneLeafGroup + exceptions + kEnd);
}

/// The GPUs that stock saw of each node at its last call, if they were not all.
std::vector<GpuMask> seen(const FakeHost& host) {
    std::vector<GpuMask> masks;
    for (const GpuMask hidden : host.calls.back().hidden) {
        masks.push_back(0xFF & ~hidden);
    }
    return masks;
}

TEST(Rail, StockSeesTheSameIndicesOnEveryNode) {
    FakeHost host;
    host.nodes.resize(2);
    host.add_running_on(1, {0}, 0b11, 4, 900);
    host.add_running_on(2, {1}, 0b1100, 4, 900);
    EXPECT_EQ(host.test(FakeHost::new_job(4, "rail"), YM_MODE_RUN_NOW, 2), 0);
    EXPECT_THAT(seen(host), ElementsAre(0xF0, 0xF0));
    EXPECT_EQ(host.test(FakeHost::new_job(2, "rail"), YM_MODE_RUN_NOW, 2), 0);
    EXPECT_THAT(seen(host), ElementsAre(0x30, 0x30)) << "an aligned block";
}

TEST(Rail, WaitsWhereNoIndicesAreFreeOnEnoughNodes) {
    FakeHost host;
    host.nodes.resize(2);
    host.add_running_on(1, {0}, 0x0F, 4, 900);
    host.add_running_on(2, {1}, 0xF0, 4, 900);
    EXPECT_NE(host.test(FakeHost::new_job(4, "rail"), YM_MODE_RUN_NOW, 2), 0);
    EXPECT_THAT(host.calls, IsEmpty());
    EXPECT_EQ(host.test(FakeHost::new_job(4), YM_MODE_RUN_NOW, 2), 0) << "a wish bends";
    EXPECT_EQ(host.calls.size(), 1U);
}

TEST(Rail, NodesAreChosenSoThatTheyShareIndices) {
    FakeHost host;
    // Used nodes come first, but 0 and 1 share nothing, nor do 2 and 3.
    host.add_running_on(1, {0, 2}, 0x0F, 4, 900);
    host.add_running_on(2, {1, 3}, 0xF0, 4, 900);
    EXPECT_EQ(host.test(FakeHost::new_job(4, "rail"), YM_MODE_RUN_NOW, 2), 0);
    EXPECT_THAT(host.chosen(), ::testing::AnyOf(NodeSet{0, 2}, NodeSet{1, 3}));
    EXPECT_EQ(host.test(FakeHost::new_job(4, "rail"), YM_MODE_RUN_NOW, 4), 0);
    EXPECT_EQ(host.calls.back().hidden.front(), host.calls.back().hidden.back());
}

TEST(Rail, RequiredNodesDecideTheIndices) {
    FakeHost host;
    host.add_running_on(1, {0, 1, 2, 3, 4, 5, 6}, 0xF0, 4, 900);
    host.add_running_on(2, {7}, 0x0F, 4, 900);
    ym_job* job = FakeHost::new_job(4, "rail");
    job->required = {7};
    EXPECT_NE(host.test(job, YM_MODE_RUN_NOW, 2), 0) << "the others have other indices free";
    job->required = {6};
    EXPECT_EQ(host.test(job, YM_MODE_RUN_NOW, 2), 0);
    EXPECT_THAT(seen(host), ElementsAre(0x0F, 0x0F));
}

TEST(Rail, MiscabledGpusAreNeverUsed) {
    FakeHost host;
    host.nodes.resize(2);
    write_exceptions(host,
                     R"({"node": "n0", "gpu": 0, "nic": "m1", "gbps": 400},
                        {"node": "n0", "gpu": 1, "nic": "m0", "gbps": 400},
                        {"node": "n1", "gpu": 6, "nic": null})");
    EXPECT_EQ(host.test(FakeHost::new_job(2, "rail"), YM_MODE_RUN_NOW, 2), 0);
    EXPECT_THAT(seen(host), ElementsAre(0b1100, 0b1100));
    EXPECT_NE(host.test(FakeHost::new_job(6, "rail"), YM_MODE_RUN_NOW, 2), 0);
    EXPECT_NE(host.test(FakeHost::new_job(8, "rail"), YM_MODE_RUN_NOW, 2), 0) << "nor with all";
    EXPECT_EQ(host.test(FakeHost::new_job(8, "rail"), YM_MODE_RUN_NOW, 1), 0) << "no rail in use";
    EXPECT_EQ(host.test(FakeHost::new_job(6), YM_MODE_RUN_NOW, 2), 0) << "only a wish";
}

TEST(Rail, ExceptionThatOnlySlowsTheNicIsStillOnItsRail) {
    FakeHost host;
    host.nodes.resize(2);
    write_exceptions(host, R"({"node": "n0", "gpu": 0, "nic": "m0", "gbps": 200})");
    EXPECT_EQ(host.test(FakeHost::new_job(8, "rail"), YM_MODE_RUN_NOW, 2), 0);
}

TEST(Rail, NodesWithoutIndicesServeOnlyWhole) {
    FakeHost host;
    for (FakeNode& node : host.nodes) {
        node.indices = false;
    }
    EXPECT_NE(host.test(FakeHost::new_job(4, "rail"), YM_MODE_RUN_NOW, 2), 0);
    EXPECT_THAT(host.calls, IsEmpty());
    EXPECT_EQ(host.test(FakeHost::new_job(8, "rail"), YM_MODE_RUN_NOW, 2), 0);
    EXPECT_EQ(host.test(FakeHost::new_job(4), YM_MODE_RUN_NOW, 2), 0);
    EXPECT_THAT(host.calls.back().hidden, Each(0));
}

TEST(Rail, ExclusiveHidesNothing) {
    FakeHost host;
    host.add_running_on(1, {0}, 0b1, 1, 900);
    ym_job* job = FakeHost::new_job(4, "rail");
    job->asks.whole_node = true;
    EXPECT_EQ(host.test(job, YM_MODE_RUN_NOW, 2), 0);
    EXPECT_THAT(host.calls.back().hidden, Each(0));
    EXPECT_THAT(host.chosen(), ::testing::Not(::testing::Contains(0)));
}

TEST(Rail, TestOnlyHidesNothing) {
    FakeHost host;
    host.add_running_on(1, span(0, 7), 0xFF, 1, 900);
    EXPECT_EQ(host.test(FakeHost::new_job(4, "rail"), YM_MODE_TEST_ONLY, 2), 0);
    EXPECT_THAT(host.calls.back().hidden, Each(0));
}

TEST(Rail, BuiltinPlansWithoutHiding) {
    FakeHost host;
    host.builtin = true;
    EXPECT_EQ(host.test(FakeHost::new_job(4, "rail"), YM_MODE_WILL_RUN, 2), 0);
    EXPECT_THAT(host.calls.back().hidden, Each(0));
    EXPECT_EQ(host.test(FakeHost::new_job(4, "rail"), YM_MODE_RUN_NOW, 2), 0);
    EXPECT_THAT(host.calls.back().hidden, Each(0xF0));
}

TEST(Rail, PlanHidesGpusThatOtherJobsHold) {
    FakeHost host;
    host.nodes.resize(2);
    write_exceptions(
        host,
        R"({"node": "n0", "gpu": 0, "nic": null}, {"node": "n0", "gpu": 1, "nic": null},
                        {"node": "n0", "gpu": 2, "nic": null}, {"node": "n0", "gpu": 3, "nic": null})");
    host.add_running_on(1, {0, 1}, 0x0F, 4, FakeHost::kNow + 120);
    host.add_running_on(2, {0, 1}, 0x30, 4, FakeHost::kNow + 600);
    host.start_time = [](const StockCall&) { return FakeHost::kNow + 600; };
    EXPECT_EQ(host.test(FakeHost::new_job(4, "rail"), YM_MODE_WILL_RUN, 2), 0);
    EXPECT_EQ(host.calls.size(), 1U) << "no time before the second job's end has a set";
    EXPECT_THAT(host.calls.back().hidden, Each(0x0F));
}

TEST(Rail, AWishIsDroppedWhenStockRefusesIt) {
    FakeHost host;
    host.nodes.resize(2);
    host.accepts = [](const StockCall& call) { return call.hidden.front() == 0; };
    EXPECT_EQ(host.test(FakeHost::new_job(4), YM_MODE_RUN_NOW, 2), 0);
    EXPECT_EQ(host.calls.size(), 2U);
    EXPECT_NE(host.test(FakeHost::new_job(4, "rail"), YM_MODE_RUN_NOW, 2), 0);
    EXPECT_THAT(host.calls.back().hidden, Each(0xF0)) << "a hint is not";
}

TEST(Rail, NothingStaysHiddenAfterAnError) {
    for (const char* function : {"ym_call_stock", "ym_add_busy_cores", "ym_node_gpu_masks"}) {
        FakeHost host;
        host.throw_in = function;
        EXPECT_NE(host.test(FakeHost::new_job(4, "rail"), YM_MODE_RUN_NOW, 2), 0) << function;
        for (const FakeNode& node : host.nodes) {
            EXPECT_EQ(node.hidden, 0U) << function;
        }
        EXPECT_EQ(host.errors_with("select: internal error"), 1) << function;
        EXPECT_EQ(host.test(FakeHost::new_job(4, "rail"), YM_MODE_RUN_NOW, 2), 0) << function;
    }
}

TEST(Rail, GpusByBusySocketsAreAvoided) {
    FakeHost host;
    host.nodes.resize(2);
    for (FakeNode& node : host.nodes) {
        node.sockets = {0x0F, 0xF0};
        node.busy_cores = {32, 0};
    }
    EXPECT_EQ(host.test(FakeHost::new_job(4, "rail"), YM_MODE_RUN_NOW, 2), 0);
    EXPECT_THAT(seen(host), ElementsAre(0xF0, 0xF0));
    EXPECT_EQ(host.test(FakeHost::new_job(6, "rail"), YM_MODE_RUN_NOW, 2), 0) << "but not refused";
    ym_job* bound = FakeHost::new_job(6, "rail");
    bound->asks.enforce_binding = true;
    EXPECT_NE(host.test(bound, YM_MODE_RUN_NOW, 2), 0) << "unless the user wants them near";
}

TEST(Rail, GpusHeldThroughShardsAreNotTaken) {
    FakeHost host;
    host.nodes.resize(2);
    host.nodes[1].held_by_shards = 0b1;
    EXPECT_EQ(host.test(FakeHost::new_job(4, "rail"), YM_MODE_RUN_NOW, 2), 0);
    EXPECT_THAT(seen(host), ElementsAre(0xF0, 0xF0));
}

TEST(Even, GpusOfTheWholeJobAreDealtOutByHiding) {
    FakeHost host;
    ym_job* job = FakeHost::new_job(0, "tp4");
    job->asks.gpus_per_job = 8;
    job->asks.gpu_kinds = 1;
    host.nodes.resize(2);
    host.add_running_on(1, {0}, 0x0F, 4, 900);
    host.add_running_on(2, {1}, 0xF0, 4, 900);
    EXPECT_EQ(host.test(job, YM_MODE_RUN_NOW, 2), 0);
    EXPECT_THAT(seen(host), ElementsAre(0xF0, 0x0F)) << "other indices, but four on each";
}

TEST(Even, FewestNodesThatShareTheGpusEvenlyAreTaken) {
    FakeHost host;
    ym_job* job = FakeHost::new_job(0, "tp8");
    job->asks.gpus_per_job = 16;
    job->asks.gpu_kinds = 1;
    EXPECT_EQ(host.test(job, YM_MODE_RUN_NOW, 1, 8, 1), 0);
    EXPECT_EQ(host.calls.back().nodes.size(), 2U);
    EXPECT_EQ(host.calls.back().min_nodes, 2U);
    EXPECT_EQ(host.calls.back().max_nodes, 2U);
}

TEST(Even, RangeTakesTheMostNodesThatFitAHardHint) {
    FakeHost host;  // two leaf groups of four
    ym_job* job = FakeHost::new_job(8, "leaf");
    EXPECT_EQ(host.test(job, YM_MODE_RUN_NOW, 2, 8, 8), 0);
    EXPECT_EQ(host.chosen().size(), 4U);
}

TEST(Even, RangeTakesFewerNodesWhereLessIsFree) {
    FakeHost host;
    ym_job* job = FakeHost::new_job(8, "leaf");
    host.add_running(1, {0, 1, 4, 5, 6}, 8, 8, 900);
    EXPECT_EQ(host.test(job, YM_MODE_RUN_NOW, 2, 8, 8), 0);
    EXPECT_EQ(host.chosen(), (NodeSet{2, 3}));
}

TEST(Even, RangeIsPlannedForItsLowerEnd) {
    FakeHost host;
    host.add_running(1, span(0, 7), 8, 8, FakeHost::kNow + 100);
    EXPECT_EQ(host.test(FakeHost::new_job(8, "leaf"), YM_MODE_WILL_RUN, 2, 8, 8), 0);
    EXPECT_EQ(host.calls.back().nodes.size(), 2U);
}

}  // namespace
}  // namespace yardmaster::testing
