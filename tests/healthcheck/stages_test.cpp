// The stages of a run on a simulated node: what is looked at twice, what is measured, what is
// skipped.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "healthcheck/evidence.hpp"
#include "healthcheck/judge.hpp"
#include "tests/healthcheck/simulated_node.hpp"

namespace yardmaster {
namespace {

using std::chrono::seconds;
using ::testing::Contains;
using ::testing::HasSubstr;
using testing::SimulatedNode;

constexpr std::uint64_t kHeat = 0x40;

void throttle(sim::SimNode& node, std::uint64_t reasons) {
    ASSERT_TRUE(node.change_gpu(2, [&](sim::SimGpu& gpu) { gpu.clock_reasons = reasons; }));
}

const Finding* find_sign(const Report& report, const std::string& sign) {
    for (const Finding& finding : report.findings) {
        if (finding.sign == sign) {
            return &finding;
        }
    }
    return nullptr;
}

using SecondLookTest = SimulatedNode;

TEST_F(SecondLookTest, SignThatStaysIsProven) {
    throttle(node_, kHeat);
    const Report report = run();
    const Finding* finding = find_sign(report, "gpu.throttle");
    ASSERT_NE(finding, nullptr);
    EXPECT_TRUE(finding->repeated);
    EXPECT_EQ(report.verdict, Verdict::kDegraded);
    EXPECT_GE(report.took, kSecondLookPause);
}

TEST_F(SecondLookTest, PortThatStaysInInitIsProven) {
    ASSERT_TRUE(node_.set_port("mlx5_5", "2: INIT", "5: LinkUp"));
    const Report report = run();
    ASSERT_NE(find_sign(report, "port.state"), nullptr);
    EXPECT_TRUE(find_sign(report, "port.state")->repeated);
    EXPECT_EQ(report.readings.second_look.ports.size(), 1u) << "only what is in doubt";
}

TEST_F(SecondLookTest, SignsThatPassDrainNothing) {
    ASSERT_TRUE(node_.set_port("mlx5_5", "2: INIT", "5: LinkUp"));
    throttle(node_, kHeat);
    Readings readings = run().readings;
    readings.second_look = {};
    EXPECT_EQ(combine(judge(scope_, readings)), Verdict::kDegraded)
        << "two signs at the first look";
    ASSERT_TRUE(node_.heal());
    const Readings healed = run().readings;
    readings.second_look = {healed.ports, healed.gpus};
    const auto findings = judge(scope_, readings);
    EXPECT_EQ(combine(findings), Verdict::kUnknown);
    ASSERT_EQ(findings.size(), 2u);
    EXPECT_THAT(findings[0].detail, HasSubstr("gone at the second look"));
}

TEST_F(SecondLookTest, GrowthIsNotReadTwice) {
    run_and_keep();
    ASSERT_TRUE(node_.grow_counter("mlx5_3", "counters/link_downed", 1));
    const Report report = run();
    ASSERT_NE(find_sign(report, "port.growth"), nullptr);
    EXPECT_FALSE(find_sign(report, "port.growth")->repeated);
    EXPECT_TRUE(report.readings.second_look.ports.empty());
    EXPECT_EQ(report.verdict, Verdict::kUnknown);
}

TEST_F(SecondLookTest, HungReaderLeavesTheSignUnproven) {
    ASSERT_TRUE(node_.set_port("mlx5_5", "2: INIT", "5: LinkUp"));
    Readings readings = run().readings;
    readings.second_look = {};
    EXPECT_EQ(combine(judge(scope_, readings)), Verdict::kUnknown);
}

TEST_F(SecondLookTest, EvidenceReplaysToTheSameVerdict) {
    throttle(node_, kHeat);
    const Report report = run();
    const auto document = JsonDocument::parse(to_json(report.readings).dump_exact());
    ASSERT_TRUE(document);
    Readings back;
    const Status status = from_json(document->root(), back);
    ASSERT_TRUE(status) << status.message();
    EXPECT_EQ(combine(judge(report.scope, back)), report.verdict);
    EXPECT_EQ(judge(report.scope, back).size(), report.findings.size());
}

/// With the real RDMA probe over a simulated libibverbs.
class ActiveChecksTest : public SimulatedNode {
  protected:
    ActiveChecksTest() {
        sources_ = sources();
        sources_.rdma.library = node_.verbs_library();
        sources_.rdma.probe = YM_RDMA_PROBE;
        sources_.nccl.mode = CheckMode::kOff;
    }
    Report check() const { return run_checks(scope_, sources_, Clock::now() + seconds(120)); }
    std::size_t measured() const { return check().readings.rdma.pairs.size(); }
    void check_and_keep() const {
        const Report report = check();
        EXPECT_EQ(report.verdict, Verdict::kHealthy) << objects(report);
        EXPECT_EQ(report.readings.rdma.pairs.size(), 8u);
        EXPECT_TRUE(state_moves(report, sources_));
        const Status status = keep_state(report, sources_);
        EXPECT_TRUE(status) << status.message();
    }

    CheckSources sources_;
};

TEST_F(ActiveChecksTest, WhatPassedLatelyIsMeasuredAgainOnlyForAReason) {
    for (std::size_t run = 0; run <= kBaselineLeast; ++run) {
        check_and_keep();  // none is skipped before one has been held against earlier ones
    }
    const Report report = check();
    EXPECT_TRUE(report.readings.rdma.pairs.empty());
    EXPECT_THAT(report.readings.notes,
                Contains(::testing::StartsWith("RDMA not run: all that it would measure has")));
    EXPECT_EQ(report.verdict, Verdict::kHealthy);
    EXPECT_FALSE(state_moves(report, sources_)) << "a skip is no pass";

    sources_.rdma.mode = CheckMode::kOn;
    EXPECT_EQ(measured(), 8u);
    sources_.rdma.mode = CheckMode::kAuto;
    sources_.proven_for = seconds(0);
    EXPECT_EQ(measured(), 8u);
    sources_.proven_for = seconds(3600);
    EXPECT_EQ(measured(), 0u);
    ASSERT_TRUE(node_.grow_counter("mlx5_3", "counters/port_rcv_errors", 1));
    EXPECT_EQ(measured(), 8u);
    ASSERT_TRUE(node_.heal());
    EXPECT_EQ(measured(), 0u);
    testing::write_file(folder_ / "proc/sys/kernel/random/boot_id", "another boot\n");
    EXPECT_EQ(measured(), 8u);
}

TEST_F(ActiveChecksTest, FailureTakesEarlierPassesBack) {
    for (std::size_t run = 0; run <= kBaselineLeast; ++run) {
        check_and_keep();
    }
    ASSERT_TRUE(node_.change_rdma(
        [](sim::RdmaScenario& scenario) { scenario.nics["mlx5_3"].all.share = 0.5; }));
    sources_.rdma.mode = CheckMode::kOn;  // something made it run in spite of the pass
    const Report slow = check();
    EXPECT_EQ(slow.verdict, Verdict::kDegraded);
    ASSERT_TRUE(keep_state(slow, sources_));
    sources_.rdma.mode = CheckMode::kAuto;
    EXPECT_EQ(check().verdict, Verdict::kDegraded) << "not skipped by the pass before";
}

TEST_F(ActiveChecksTest, CertainFaultNeedsNoMeasurement) {
    ASSERT_TRUE(node_.set_rate("mlx5_3", 100));
    const Report report = check();
    EXPECT_TRUE(report.readings.rdma.pairs.empty());
    EXPECT_THAT(report.readings.notes, Contains(HasSubstr("certain without it")));
}

TEST_F(ActiveChecksTest, TooLittleTimeIsSaid) {
    const Report report =
        run_checks(scope_, sources_, Clock::now() + std::chrono::milliseconds(900));
    EXPECT_TRUE(report.readings.rdma.pairs.empty());
    EXPECT_THAT(report.readings.notes, Contains("RDMA not run: no time was left for it"));
}

}  // namespace
}  // namespace yardmaster
