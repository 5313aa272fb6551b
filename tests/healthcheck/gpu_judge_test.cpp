#include "healthcheck/gpu/gpu_judge.hpp"

#include <gtest/gtest.h>

namespace yardmaster {
namespace {

constexpr NvmlNumber number(std::uint64_t value) {
    return {kNvmlSuccess, value};
}

GpuReading gpu(unsigned index, unsigned minor) {
    GpuReading reading;
    reading.index = index;
    reading.handle_code = kNvmlSuccess;
    reading.minor = number(minor);
    reading.model = "NVIDIA H100 80GB HBM3";
    reading.mig_mode = number(0);
    reading.ecc_uncorrected = number(0);
    reading.remap_pending = number(0);
    reading.remap_failed = number(0);
    return reading;
}

/// A node with GPUs 0 to 7, all of them the job's.
struct Node {
    Node() {
        nvml.loaded = true;
        nvml.device_count = number(8);
        scope.node_gpus = 8;
        for (unsigned i = 0; i < 8; ++i) {
            gpus.push_back(gpu(i, i));
            scope.gpus.push_back(i);
        }
    }
    void remove(unsigned index) {
        gpus.erase(gpus.begin() + index);
        nvml.device_count = number(gpus.size());
    }
    std::vector<Finding> judge() const { return judge_gpus(scope, nvml, gpus); }

    CheckScope scope;
    NvmlReading nvml;
    std::vector<GpuReading> gpus;
};

void expect_one(const std::vector<Finding>& findings, const char* object, const char* text) {
    ASSERT_EQ(findings.size(), 1u);
    EXPECT_EQ(findings[0].object, object);
    EXPECT_EQ(findings[0].short_text, text);
    EXPECT_EQ(combine(findings), Verdict::kDegraded);
}

TEST(GpuJudge, HealthyNodeGivesNoFinding) {
    EXPECT_TRUE(Node().judge().empty());
}

TEST(GpuJudge, SevenOfEightNamesTheMissingOne) {
    Node node;
    node.remove(2);
    expect_one(node.judge(), "GPU2", "missing");
    EXPECT_NE(node.judge()[0].detail.find("7 of 8"), std::string::npos);
}

TEST(GpuJudge, MissingGpuOfAnotherJobIsOutOfScope) {
    Node node;
    node.remove(2);
    node.scope.gpus = {0, 1, 3};
    EXPECT_TRUE(node.judge().empty());
}

TEST(GpuJudge, GapInTheMinorsIsMissingEvenWithoutAFabricFile) {
    Node node;
    node.remove(2);
    node.scope.node_gpus = std::nullopt;
    expect_one(node.judge(), "GPU2", "missing");
}

TEST(GpuJudge, IndexBeyondTheMinorsWithoutAFabricFileIsUnknown) {
    Node node;
    node.remove(7);
    node.scope.node_gpus = std::nullopt;
    EXPECT_EQ(combine(node.judge()), Verdict::kUnknown);
}

TEST(GpuJudge, FullCountWithOtherMinorsIsAMappingQuestion) {
    Node node;
    node.scope.gpus = {8};
    EXPECT_EQ(combine(node.judge()), Verdict::kUnknown);
}

TEST(GpuJudge, LostHandleNamesTheGpuThatNoDeviceStandsFor) {
    Node node;
    node.gpus[2] = GpuReading{};
    node.gpus[2].index = 2;
    node.gpus[2].handle_code = kNvmlGpuIsLost;
    expect_one(node.judge(), "GPU2", "lost");
}

TEST(GpuJudge, MinorsDecideNotTheOrderOfNvml) {
    Node node;
    for (unsigned i = 0; i < 8; ++i) {
        node.gpus[i].minor = number(7 - i);
    }
    node.gpus[0].ecc_uncorrected = number(3);
    expect_one(node.judge(), "GPU7", "ECC 3");
}

TEST(GpuJudge, HandleWithAnUnknownErrorIsUnknown) {
    Node node;
    node.gpus[2] = GpuReading{};
    node.gpus[2].handle_code = kNvmlUnknown;
    EXPECT_EQ(combine(node.judge()), Verdict::kUnknown);
}

TEST(GpuJudge, RemappedRowsDegrade) {
    Node pending;
    pending.gpus[1].remap_pending = number(1);
    expect_one(pending.judge(), "GPU1", "remap wait");
    Node failed;
    failed.gpus[1].remap_failed = number(1);
    expect_one(failed.judge(), "GPU1", "remap fail");
}

TEST(GpuJudge, ResetRequiredNamesTheCure) {
    Node node;
    node.gpus[1].ecc_uncorrected = {kNvmlResetRequired, 0};
    expect_one(node.judge(), "GPU1", "needs reset");
}

TEST(GpuJudge, ModelsWithoutEccAreHealthy) {
    Node node;
    node.gpus[0].ecc_uncorrected = {kNvmlNotSupported, 0};
    node.gpus[0].remap_pending = node.gpus[0].remap_failed = {kNvmlFunctionNotFound, 0};
    EXPECT_TRUE(node.judge().empty());
}

TEST(GpuJudge, OtherErrorsAreUnknown) {
    Node node;
    node.gpus[0].ecc_uncorrected = {kNvmlUnknown, 0};
    EXPECT_EQ(combine(node.judge()), Verdict::kUnknown);
}

TEST(GpuJudge, MissingLibraryIsUnknown) {
    Node node;
    node.nvml = {};
    node.nvml.error = "libnvidia-ml.so.1: cannot open shared object file";
    node.gpus.clear();
    EXPECT_EQ(combine(node.judge()), Verdict::kUnknown);
}

TEST(GpuJudge, DevicesNotReadInTimeAreUnknown) {
    Node node;
    node.gpus.resize(3);
    EXPECT_EQ(combine(node.judge()), Verdict::kUnknown);
}

TEST(GpuJudge, MigSlicesAreUnknown) {
    Node node;
    node.scope.mig = true;
    node.gpus[0].ecc_uncorrected = number(3);
    EXPECT_EQ(combine(node.judge()), Verdict::kUnknown);
}

}  // namespace
}  // namespace yardmaster
