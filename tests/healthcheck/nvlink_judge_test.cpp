#include "healthcheck/nvlink/nvlink_judge.hpp"

#include <gtest/gtest.h>

#include "healthcheck/nvlink/model_table.hpp"

namespace yardmaster {
namespace {

constexpr NvmlNumber kUp{kNvmlSuccess, 1};
constexpr NvmlNumber kDown{kNvmlSuccess, 0};
constexpr NvmlNumber kUnsupported{kNvmlNotSupported, 0};

GpuReading gpu(unsigned minor, const std::string& model, unsigned links) {
    GpuReading reading;
    reading.handle_code = kNvmlSuccess;
    reading.index = minor;
    reading.minor = {kNvmlSuccess, minor};
    reading.model = model;
    reading.mig_mode = {kNvmlSuccess, 0};
    reading.nvlinks.assign(36, kUnsupported);
    std::fill_n(reading.nvlinks.begin(), links, kUp);
    return reading;
}

constexpr const char* kH100 = "NVIDIA H100 80GB HBM3";

CheckScope scope_of(std::vector<unsigned> gpus) {
    CheckScope scope;
    scope.gpus = std::move(gpus);
    return scope;
}

TEST(NvlinkJudge, AllLinksUpGivesNoFinding) {
    EXPECT_TRUE(judge_nvlinks(scope_of({0}), {gpu(0, kH100, 18)}).empty());
    EXPECT_TRUE(judge_nvlinks(scope_of({0}), {gpu(0, "NVIDIA A100-SXM4-80GB", 12)}).empty());
}

TEST(NvlinkJudge, OneInactiveLinkIsDegradedAndCounted) {
    GpuReading reading = gpu(4, kH100, 18);
    reading.nvlinks[7] = kDown;
    const auto findings = judge_nvlinks(scope_of({4}), {reading});
    ASSERT_EQ(findings.size(), 1u);
    EXPECT_EQ(findings[0].object, "GPU4");
    EXPECT_EQ(findings[0].short_text, "NVLink 17/18");
    EXPECT_NE(findings[0].detail.find("7"), std::string::npos);
    EXPECT_EQ(combine(findings), Verdict::kDegraded);
}

TEST(NvlinkJudge, GpuCutOffFromTheOthersIsNamed) {
    GpuReading reading = gpu(2, kH100, 18);
    std::fill_n(reading.nvlinks.begin(), 18, kDown);
    const auto findings =
        judge_nvlinks(scope_of({1, 2, 3}), {gpu(1, kH100, 18), reading, gpu(3, kH100, 18)});
    ASSERT_EQ(findings.size(), 1u);
    EXPECT_EQ(findings[0].object, "GPU2");
    EXPECT_EQ(findings[0].short_text, "NVLink 0/18");
}

TEST(NvlinkJudge, OtherJobsGpusAreOutOfScope) {
    GpuReading reading = gpu(2, kH100, 18);
    reading.nvlinks[0] = kDown;
    EXPECT_TRUE(judge_nvlinks(scope_of({1}), {gpu(1, kH100, 18), reading}).empty());
}

TEST(NvlinkJudge, UnsupportedLinkIsNotDown) {
    const auto findings = judge_nvlinks(scope_of({0}), {gpu(0, kH100, 17)});
    ASSERT_EQ(findings.size(), 1u);
    EXPECT_EQ(findings[0].verdict, Verdict::kUnknown);
}

TEST(NvlinkJudge, PcieCardsMayHaveFewerLinksByDesign) {
    EXPECT_TRUE(judge_nvlinks(scope_of({0}), {gpu(0, "NVIDIA H100 PCIe", 12)}).empty());
    GpuReading no_bridge = gpu(0, "NVIDIA A100 80GB PCIe", 12);
    std::fill_n(no_bridge.nvlinks.begin(), 12, kDown);
    EXPECT_TRUE(judge_nvlinks(scope_of({0}), {no_bridge}).empty());
}

TEST(NvlinkJudge, ModelNotInTheTableIsUnknown) {
    GpuReading reading = gpu(0, "NVIDIA Future 9000", 18);
    reading.nvlinks[0] = kDown;
    EXPECT_EQ(combine(judge_nvlinks(scope_of({0}), {reading})), Verdict::kUnknown);
}

TEST(NvlinkJudge, MigModeHasNoNvlink) {
    GpuReading reading = gpu(0, kH100, 18);
    std::fill_n(reading.nvlinks.begin(), 18, kDown);
    reading.mig_mode = {kNvmlSuccess, 1};
    EXPECT_TRUE(judge_nvlinks(scope_of({0}), {reading}).empty());
}

TEST(NvlinkJudge, LinksNotReadInTimeAreUnknown) {
    GpuReading reading = gpu(0, kH100, 18);
    reading.nvlinks.clear();
    EXPECT_EQ(combine(judge_nvlinks(scope_of({0}), {reading})), Verdict::kUnknown);
}

TEST(NvlinkModel, NamesOfOneFamilyAreToldApart) {
    EXPECT_EQ(find_nvlink_model("NVIDIA H200")->links, 18u);
    EXPECT_TRUE(find_nvlink_model("NVIDIA H200 NVL")->by_board);
    EXPECT_TRUE(find_nvlink_model("NVIDIA GH200 480GB")->by_board);
    EXPECT_EQ(find_nvlink_model("NVIDIA GB200")->links, 18u);
    EXPECT_EQ(find_nvlink_model("NVIDIA B200")->links, 18u);
    EXPECT_EQ(find_nvlink_model("Tesla V100-SXM2-32GB")->links, 6u);
    EXPECT_FALSE(find_nvlink_model("NVIDIA L40S"));
    EXPECT_FALSE(find_nvlink_model(""));
}

}  // namespace
}  // namespace yardmaster
