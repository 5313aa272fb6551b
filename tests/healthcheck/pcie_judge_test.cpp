#include "healthcheck/pcie/pcie_judge.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace yardmaster {
namespace {

using ::testing::HasSubstr;

/// GPU `minor` below a switch: device, downstream port, upstream port, root port.
PciReading below_switch(const std::string& address, const std::string& kind) {
    PciReading device;
    device.address = address;
    device.kind = kind;
    for (const std::string& name : {address,
                                    std::string("0000:12:01.0"),
                                    std::string("0000:11:00.0"),
                                    std::string("0000:10:01.0")}) {
        device.path.push_back({name, 16, 16, 32, 32});
    }
    return device;
}

class PcieJudge : public ::testing::Test {
  protected:
    PcieJudge() {
        scope_.gpus = {0};
        scope_.rails = {{"mlx5_0", 1, 400, {0}}};
        for (unsigned minor : {0u, 1u}) {
            GpuReading gpu;
            gpu.index = minor;
            gpu.handle_code = kNvmlSuccess;
            gpu.minor = {kNvmlSuccess, minor};
            gpu.pci = minor == 0 ? "00000000:14:00.0" : "00000001:14:00.0";
            readings_.gpus.push_back(gpu);
        }
        readings_.pci = {below_switch("0000:14:00.0", "0x10de:0x2330"),
                         below_switch("0001:14:00.0", "0x10de:0x2330"),
                         below_switch("0000:13:00.0", "0x15b3:0x1021")};
        readings_.pci[2].device = "mlx5_0";
        readings_.boot_id = readings_.baseline.boot_id = "boot";
        readings_.uptime_s = 600;
    }
    std::vector<Finding> judge() const { return judge_pcie(scope_, readings_); }
    /// The device's errors at the baseline and now.
    void errors(std::size_t device, const char* kind, std::uint64_t before, std::uint64_t now) {
        readings_.baseline.objects[readings_.pci[device].address].counters[kind] = before;
        readings_.pci[device].errors[kind] = now;
    }

    CheckScope scope_;
    Readings readings_;
};

TEST_F(PcieJudge, FullLinksAreHealthy) {
    EXPECT_TRUE(judge().empty());
}

TEST_F(PcieJudge, NarrowLinkOfAGpuIsCertain) {
    readings_.pci[0].path[0].current_width = 8;
    const auto findings = judge();
    ASSERT_EQ(findings.size(), 1u);
    EXPECT_EQ(findings[0].object, "GPU0");
    EXPECT_EQ(findings[0].short_text, "PCIe x8/16");
    EXPECT_EQ(findings[0].sign, "pcie.width");
    EXPECT_TRUE(findings[0].certain);
}

TEST_F(PcieJudge, NarrowLinkOfARailIsNamedByItsDevice) {
    readings_.pci[2].path[0].current_width = 4;
    ASSERT_EQ(judge().size(), 1u);
    EXPECT_EQ(judge()[0].object, "mlx5_0");
}

TEST_F(PcieJudge, NarrowSlotByDesignIsHealthy) {
    readings_.pci[0].path[0].current_width = 8;
    readings_.pci[0].path[1].max_width = 8;
    EXPECT_TRUE(judge().empty());
}

TEST_F(PcieJudge, NarrowLinkAboveASwitchNamesTheSlotOnce) {
    for (PciReading& device : readings_.pci) {
        device.path[2].current_width = 8;
    }
    const auto findings = judge();
    ASSERT_EQ(findings.size(), 1u) << "GPU and NIC share it";
    EXPECT_EQ(findings[0].object, "0000:10:01.0");
    EXPECT_EQ(findings[0].short_text, "x8/16");
    EXPECT_TRUE(findings[0].certain);
}

TEST_F(PcieJudge, TheInsideOfASwitchIsNoLink) {
    readings_.pci[0].path[1].current_width = 16;
    readings_.pci[0].path[2].current_width = 16;
    readings_.pci[0].path[1].max_width = 32;
    EXPECT_TRUE(judge().empty());
}

TEST_F(PcieJudge, UnknownWidthIsNotJudged) {
    readings_.pci[0].path[0].current_width.reset();
    readings_.pci[2].path[1].max_width.reset();
    EXPECT_TRUE(judge().empty());
}

TEST_F(PcieJudge, SlowCurrentSpeedIsAnIdleLink) {
    readings_.pci[0].path[0].current_gts = 2.5;
    EXPECT_TRUE(judge().empty());
}

TEST_F(PcieJudge, LowerGenerationThanItsEqualsIsOneSign) {
    readings_.pci[0].path[0].max_gts = 16;
    const auto findings = judge();
    ASSERT_EQ(findings.size(), 1u);
    EXPECT_EQ(findings[0].sign, "pcie.generation");
    EXPECT_EQ(findings[0].short_text, "PCIe 16/32GT");
    EXPECT_EQ(combine(findings), Verdict::kUnknown);
}

TEST_F(PcieJudge, FaultOfAnotherDomainsDeviceIsNotOurs) {
    readings_.pci[1].path[0].current_width = 1;  // the same bus number in domain 1: GPU 1
    EXPECT_TRUE(judge().empty());
    scope_.gpus = {1};
    ASSERT_EQ(judge().size(), 1u);
    EXPECT_EQ(judge()[0].object, "GPU1");
}

TEST_F(PcieJudge, UncorrectableErrorsAreOneSign) {
    errors(0, "nonfatal", 2, 3);
    const auto findings = judge();
    ASSERT_EQ(findings.size(), 1u);
    EXPECT_EQ(findings[0].sign, "pcie.errors");
    EXPECT_FALSE(findings[0].certain);
    EXPECT_THAT(findings[0].detail, HasSubstr("1 uncorrectable"));
}

TEST_F(PcieJudge, CorrectableErrorsAreHeldAgainstTheBitErrorRate) {
    // 1e-12 of 16 lanes at 32 GT/s over 600 s: 307 errors.
    errors(0, "correctable", 1000, 1300);
    EXPECT_TRUE(judge().empty());
    errors(0, "correctable", 1000, 1310);
    EXPECT_EQ(judge().size(), 1u);
}

TEST(PciAddress, IsAlwaysTheFullOne) {
    EXPECT_EQ(pci_address("00000000:1B:00.0"), "0000:1b:00.0");
    EXPECT_EQ(pci_address("00010000:01:00.1"), "10000:01:00.1");
    EXPECT_EQ(pci_address("0000:14:00.0"), "0000:14:00.0");
    for (const char* text : {"", "14:00.0", "0000:14:00", "0000:14:00.0x", "mlx5_0"}) {
        EXPECT_EQ(pci_address(text), "") << text;
    }
}

}  // namespace
}  // namespace yardmaster
