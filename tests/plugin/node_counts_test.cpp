// NodeCounts: what is remembered of a node, and when it is read anew.
#include "plugin/select/node_counts.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "plugin/abi/select_hooks.h"
#include "tests/plugin/fake_host.hpp"

namespace yardmaster::testing {
namespace {

constexpr std::uint16_t kRunNow = YM_MODE_RUN_NOW;
constexpr NodeCounts::Clock::duration kAge = NodeCounts::kMaxAge;

std::uint32_t free_gpus(NodeCounts& counts, std::int32_t node, NodeCounts::Clock::time_point now) {
    return counts.read({node}, now)[static_cast<std::size_t>(node)].free_gpus;
}

TEST(NodeCounts, ReadsWhatWasNeverAskedFor) {
    FakeHost host;
    host.nodes[3] = {.name = "n3", .gpus = 8, .free_gpus = 5, .cpus = 96};
    NodeCounts counts;
    const auto& read = counts.read({1, 3}, {});
    EXPECT_EQ(read[3].gpus, 8U);
    EXPECT_EQ(read[3].free_gpus, 5U);
    EXPECT_EQ(read[3].cpus, 96U);
}

TEST(NodeCounts, ForgottenNodeIsReadAnewAndNoOther) {
    FakeHost host;
    NodeCounts counts;
    counts.read(host.all_nodes(), {});
    host.nodes[1].free_gpus = 1;
    host.nodes[2].free_gpus = 2;
    counts.forget(1);
    EXPECT_EQ(free_gpus(counts, 1, {}), 1U);
    EXPECT_EQ(free_gpus(counts, 2, {}), 8U);
}

/// How many nodes show 2 free GPUs, which all have by now, rather than the 8 of before.
int read_anew(const FakeHost& host, NodeCounts& counts, NodeCounts::Clock::time_point now) {
    const auto& read = counts.read(host.all_nodes(), now);
    return static_cast<int>(std::count_if(
        read.begin(), read.end(), [](const NodeCount& count) { return count.free_gpus == 2; }));
}

TEST(NodeCounts, OldCountsAreReadAnewInTurns) {
    FakeHost host;
    NodeCounts counts;
    const NodeCounts::Clock::time_point start{};
    counts.read(host.all_nodes(), start);
    for (FakeNode& node : host.nodes) {
        node.free_gpus = 2;
    }
    EXPECT_EQ(read_anew(host, counts, start), 0);
    EXPECT_EQ(read_anew(host, counts, start + kAge / 2), 4);
    EXPECT_EQ(read_anew(host, counts, start + kAge / 2), 4);
    EXPECT_EQ(read_anew(host, counts, start + kAge), 8);
}

TEST(NodeCounts, ManyShortStepsAgeAsMuchAsALongOne) {
    FakeHost host;
    NodeCounts counts;
    const NodeCounts::Clock::time_point start{};
    counts.read(host.all_nodes(), start);
    for (FakeNode& node : host.nodes) {
        node.free_gpus = 2;
    }
    for (int step = 1; step < 100; ++step) {  // each is less than one node's turn
        read_anew(host, counts, start + step * kAge / 100);
    }
    EXPECT_EQ(read_anew(host, counts, start + kAge), 8);
}

TEST(NodeCounts, PauseReadsAllAnew) {
    FakeHost host;
    NodeCounts counts;
    counts.read(host.all_nodes(), {});
    for (FakeNode& node : host.nodes) {
        node.free_gpus = 2;
    }
    EXPECT_EQ(read_anew(host, counts, NodeCounts::Clock::time_point{} + 3 * kAge), 8);
}

TEST(NodeCounts, AnotherSizeOfTheTableForgetsAll) {
    FakeHost host;
    NodeCounts counts;
    counts.read(host.all_nodes(), {});
    host.nodes[2].free_gpus = 2;
    host.nodes.push_back({.name = "n8"});
    EXPECT_EQ(free_gpus(counts, 2, {}), 2U);
}

TEST(NodeCounts, ForgettingWhatIsBeyondTheTableIsNoError) {
    NodeCounts counts;
    counts.forget(7);
    counts.forget(-1);
}

// --- The hooks say what to read anew ---

TEST(NodeCounts, StartedJobsNodesAreReadAnew) {
    FakeHost host;
    ASSERT_EQ(host.test(FakeHost::new_job(8), kRunNow, 4), 0);
    for (const std::int32_t node : host.chosen()) {
        host.nodes[static_cast<std::size_t>(node)].free_gpus = 0;
    }
    ASSERT_EQ(host.test(FakeHost::new_job(8), kRunNow, 4), 0);
    EXPECT_EQ(host.chosen(), span(4, 7));
}

TEST(NodeCounts, EndedJobsNodesAreReadAnew) {
    FakeHost host;
    host.nodes[7].free_gpus = 0;  // one leaf group is all there is
    ym_job* job = FakeHost::new_job(8, "leaf");
    ASSERT_EQ(host.test(job, kRunNow, 4), 0);
    job->nodes = host.chosen();
    for (const std::int32_t node : job->nodes) {
        host.nodes[static_cast<std::size_t>(node)].free_gpus = 0;
    }
    ASSERT_NE(host.test(FakeHost::new_job(8, "leaf"), kRunNow, 4), 0);
    for (const std::int32_t node : job->nodes) {
        host.nodes[static_cast<std::size_t>(node)].free_gpus = 8;
    }
    ym_hook_job_fini(job);
    EXPECT_EQ(host.test(FakeHost::new_job(8, "leaf"), kRunNow, 4), 0);
}

TEST(NodeCounts, MovedResourcesAreReadAnew) {
    FakeHost host;
    ASSERT_EQ(host.test(FakeHost::new_job(8, "leaf"), YM_MODE_TEST_ONLY, 4), 0);
    for (auto& node : host.nodes) {
        node.free_gpus = 0;
    }
    ym_hook_resources_moved();
    EXPECT_NE(host.test(FakeHost::new_job(8, "leaf"), kRunNow, 4), 0);
}

}  // namespace
}  // namespace yardmaster::testing
