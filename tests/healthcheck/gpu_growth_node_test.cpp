// The growth of GPUs' counters from reader to evidence, on a simulated node.
#include <gtest/gtest.h>

#include "healthcheck/evidence.hpp"
#include "healthcheck/judge.hpp"
#include "tests/healthcheck/simulated_node.hpp"

namespace yardmaster {
namespace {

using GpuGrowthOnANode = testing::SimulatedNode;

TEST_F(GpuGrowthOnANode, IsReportedOnceAndReplaysOffline) {
    run_and_keep();
    ASSERT_TRUE(node_.change_gpu(2, [](sim::SimGpu& gpu) {
        gpu.link_fields.push_back({162, 7, 50});  // recovery
        gpu.pcie_replays = 500;
    }));
    const Report report = run_and_keep();
    EXPECT_EQ(report.verdict, Verdict::kDegraded) << "two signs: " << objects(report);
    ASSERT_EQ(report.findings.size(), 2u) << objects(report);
    EXPECT_EQ(report.findings[0].object, "GPU2");

    const auto document = JsonDocument::parse(to_json(report.readings).dump_exact());
    ASSERT_TRUE(document);
    Readings back;
    const Status status = from_json(document->root(), back);
    ASSERT_TRUE(status) << status.message();
    const auto again = judge(report.scope, back);
    ASSERT_EQ(again.size(), 2u);
    EXPECT_EQ(again[0].detail, report.findings[0].detail);
    EXPECT_EQ(run().verdict, Verdict::kHealthy) << "one event is one finding";
}

TEST_F(GpuGrowthOnANode, SlowGrowthIsHealthy) {
    run_and_keep();
    for (unsigned round = 1; round <= 5; ++round) {
        ASSERT_TRUE(node_.change_gpu(2, [&](sim::SimGpu& gpu) {
            gpu.link_fields.push_back({162, 7, 2 * round});
            gpu.link_fields.push_back({163, 7, 10000 * round});  // crc
            gpu.pcie_replays = 10 * round;
        }));
        EXPECT_EQ(run_and_keep().verdict, Verdict::kHealthy) << round;
    }
}

}  // namespace
}  // namespace yardmaster
