#include "healthcheck/gpu/gpu_alarms.hpp"

#include <gtest/gtest.h>

namespace yardmaster {
namespace {

std::vector<Finding> judge(const GpuReading& gpu) {
    std::vector<Finding> findings;
    judge_recovery_action("GPU1", gpu, findings);
    judge_clock_reasons("GPU1", gpu, findings);
    return findings;
}

GpuReading with_action(std::uint64_t action) {
    GpuReading gpu;
    gpu.recovery_action = {kNvmlSuccess, action};
    return gpu;
}

GpuReading with_reasons(std::uint64_t reasons) {
    GpuReading gpu;
    gpu.clock_reasons = {kNvmlSuccess, reasons};
    return gpu;
}

TEST(RecoveryAction, EachDrainsByItsName) {
    const std::pair<std::uint64_t, const char*> actions[] = {{1, "needs reset"},
                                                             {2, "needs reboot"},
                                                             {3, "drain P2P"},
                                                             {4, "drain+reset"},
                                                             {77, "recovery 77"}};
    for (const auto& [action, text] : actions) {
        const auto findings = judge(with_action(action));
        ASSERT_EQ(findings.size(), 1u) << action;
        EXPECT_EQ(findings[0].short_text, text);
        EXPECT_EQ(combine(findings), Verdict::kDegraded);
    }
}

TEST(RecoveryAction, NoneOrUnreadIsHealthy) {
    EXPECT_TRUE(judge(with_action(0)).empty());
    EXPECT_TRUE(judge(GpuReading{}).empty());
}

TEST(ClockReasons, DailyLifeIsHealthy) {
    // Idle, application clocks, software power cap, hardware slowdown alone, sync boost, software
    // thermal slowdown, display clocks.
    for (std::uint64_t reasons : {0x0, 0x1, 0x2, 0x4, 0x8, 0x10, 0x20, 0x100, 0x1 | 0x4 | 0x8}) {
        EXPECT_TRUE(judge(with_reasons(reasons)).empty()) << reasons;
    }
}

TEST(ClockReasons, HeatAndPowerBrakeAreOneSignThatIsNotCertain) {
    for (std::uint64_t reasons : {0x40, 0x80, 0x48, 0xc8}) {
        const auto findings = judge(with_reasons(reasons));
        ASSERT_FALSE(findings.empty()) << reasons;
        EXPECT_EQ(findings[0].verdict, Verdict::kDegraded);
        EXPECT_EQ(combine(findings), Verdict::kUnknown) << "drains only when seen again";
    }
    EXPECT_EQ(judge(with_reasons(0x40))[0].short_text, "too hot");
    EXPECT_EQ(judge(with_reasons(0x80))[0].short_text, "power brake");
}

}  // namespace
}  // namespace yardmaster
