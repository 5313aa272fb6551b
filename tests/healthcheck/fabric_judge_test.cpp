#include "healthcheck/nvlink/fabric_judge.hpp"

#include <gtest/gtest.h>

#include "healthcheck/nvlink/fabric_health.hpp"

namespace yardmaster {
namespace {

constexpr const char* kZero = "00000000-0000-0000-0000-000000000000";
constexpr const char* kCluster = "00000001-0000-0000-0000-000000000001";

GpuReading gpu(unsigned minor = 0) {
    GpuReading reading;
    reading.handle_code = kNvmlSuccess;
    reading.index = minor;
    reading.minor = {kNvmlSuccess, minor};
    reading.nvlink.switch_links = {kNvmlSuccess, 18};
    reading.nvlink.fabric = {0, 3, kFabricCompleted, 0, 2, kCluster, 0x1aa, 1};
    return reading;
}

std::vector<Finding> judge(const GpuReading& reading, NvlinkFabric expected = NvlinkFabric::kRack) {
    std::vector<Finding> findings;
    judge_fabric("GPU0", reading, expected, findings);
    return findings;
}

void expect_certain(const std::vector<Finding>& findings, const char* text) {
    ASSERT_EQ(findings.size(), 1u);
    EXPECT_EQ(findings[0].short_text, text);
    EXPECT_EQ(combine(findings), Verdict::kDegraded);
}

/// A degraded finding that one look does not prove.
void expect_suspect(const std::vector<Finding>& findings, const char* text) {
    ASSERT_EQ(findings.size(), 1u);
    EXPECT_EQ(findings[0].short_text, text);
    EXPECT_EQ(findings[0].verdict, Verdict::kDegraded);
    EXPECT_FALSE(findings[0].certain);
}

void expect_unknown(const std::vector<Finding>& findings) {
    ASSERT_EQ(findings.size(), 1u);
    EXPECT_EQ(findings[0].verdict, Verdict::kUnknown);
}

TEST(FabricJudge, CompletedWithoutErrorIsHealthy) {
    EXPECT_TRUE(judge(gpu()).empty());
}

TEST(FabricJudge, CompletedWithAnErrorIsNotHealthy) {
    GpuReading reading = gpu();
    reading.nvlink.fabric.status = kNvmlUnknown;
    expect_certain(judge(reading), "fabric error");
    expect_certain(judge(reading, NvlinkFabric::kNode), "fabric error");
}

TEST(FabricJudge, ZeroClusterIsAFaultInARackAndNormalInANode) {
    GpuReading reading = gpu();
    reading.nvlink.fabric.cluster_uuid = kZero;
    expect_certain(judge(reading), "no cluster");
    EXPECT_TRUE(judge(reading, NvlinkFabric::kNode).empty());
    reading.nvlink.switch_links = {kNvmlSuccess, 0};
    EXPECT_TRUE(judge(reading).empty()) << "the rack's GPU on a board without NVSwitches";
}

TEST(FabricJudge, InProgressIsUnknown) {
    GpuReading reading = gpu();
    reading.nvlink.fabric.state = kFabricInProgress;
    reading.nvlink.fabric.status = kNvmlUnknown;  // not valid before completion
    expect_unknown(judge(reading));
}

TEST(FabricJudge, NotStartedIsASuspicionWhereThereAreNvSwitches) {
    GpuReading reading = gpu();
    reading.nvlink.fabric.state = kFabricNotStarted;
    expect_suspect(judge(reading, NvlinkFabric::kNode), "fabric off");
    reading.nvlink.switch_links = {kNvmlSuccess, 0};
    EXPECT_TRUE(judge(reading, NvlinkFabric::kNode).empty());
    reading.nvlink.switch_links = {kNvmlNotSupported, 0};
    expect_unknown(judge(reading, NvlinkFabric::kNode));
    EXPECT_TRUE(judge(reading, NvlinkFabric::kNone).empty());
}

TEST(FabricJudge, NotSupportedIsNormalWithoutNvSwitchesAndOddWithThem) {
    GpuReading reading = gpu();
    reading.nvlink.fabric.state = kFabricNotSupported;
    expect_unknown(judge(reading, NvlinkFabric::kNode));
    EXPECT_TRUE(judge(reading, NvlinkFabric::kNone).empty()) << "A100: NVSwitches, no registration";
    reading.nvlink.switch_links = kNumberNotRead;
    EXPECT_TRUE(judge(reading, NvlinkFabric::kNode).empty());
}

TEST(FabricJudge, AbsentFunctionIsNoFindingAndAnErrorIsUnknown) {
    GpuReading reading = gpu();
    for (int code : {kNvmlNotRead, kNvmlNotSupported, kNvmlFunctionNotFound}) {
        reading.nvlink.fabric.code = code;
        EXPECT_TRUE(judge(reading).empty()) << code;
    }
    reading.nvlink.fabric.code = kNvmlUnknown;
    expect_unknown(judge(reading));
}

TEST(FabricJudge, EachConditionOfTheHealthMaskIsNamed) {
    GpuReading reading = gpu();
    reading.nvlink.fabric.health = 0x1a9;
    expect_certain(judge(reading), "NVL slow");
    reading.nvlink.fabric.health = 0x1a6;
    expect_suspect(judge(reading), "NVL reroute");
    reading.nvlink.fabric.health = 0x19a;
    expect_certain(judge(reading), "NVL route");
    reading.nvlink.fabric.health = 0x16a;
    expect_suspect(judge(reading), "NVL timeout");
    reading.nvlink.fabric.health = 0x5aa;
    expect_certain(judge(reading), "NVL config");
    EXPECT_NE(judge(reading)[0].detail.find("too few NVLinks"), std::string::npos);
}

TEST(FabricJudge, UnsupportedConditionsSayNothing) {
    EXPECT_TRUE(fabric_conditions(0).empty());
    EXPECT_TRUE(fabric_conditions(0x1aa).empty());
    EXPECT_EQ(fabric_conditions(0xf55).size(), 5u);
}

TEST(FabricJudge, SummaryCountsWhereTheMaskNamesNothing) {
    GpuReading reading = gpu();
    reading.nvlink.fabric.health_summary = 2;
    expect_certain(judge(reading), "NVL unwell");
    reading.nvlink.fabric.health_summary = 3;
    expect_suspect(judge(reading), "NVL capacity");
    reading.nvlink.fabric.health_summary = 2;
    reading.nvlink.fabric.health = 0x1a9;
    expect_certain(judge(reading), "NVL slow");
}

struct Tray {
    Tray() {
        for (unsigned minor = 0; minor < 4; ++minor) {
            gpus.push_back(gpu(minor));
            scope.gpus.push_back(minor);
        }
    }
    std::vector<Finding> judge() const {
        std::vector<Finding> findings;
        judge_fabric_place(scope, gpus, findings);
        return findings;
    }
    CheckScope scope;
    std::vector<GpuReading> gpus;
};

TEST(FabricPlace, OneCliqueIsHealthy) {
    EXPECT_TRUE(Tray().judge().empty());
}

TEST(FabricPlace, GpuInAnotherCliqueOrClusterIsNamed) {
    Tray clique;
    clique.gpus[1].nvlink.fabric.clique = 9;
    expect_certain(clique.judge(), "NVL split");
    EXPECT_EQ(clique.judge()[0].object, "GPU1");
    Tray cluster;
    cluster.gpus[3].nvlink.fabric.cluster_uuid = kZero;
    expect_certain(cluster.judge(), "NVL split");
    EXPECT_EQ(cluster.judge()[0].object, "GPU3");
}

TEST(FabricPlace, OtherGpusOfTheNodeAreWitnesses) {
    Tray tray;
    tray.gpus[0].nvlink.fabric.clique = 9;
    tray.scope.gpus = {0, 1};
    expect_certain(tray.judge(), "NVL split");
    EXPECT_EQ(tray.judge()[0].object, "GPU0");
}

TEST(FabricPlace, OtherJobsCliquesAreTheirBusiness) {
    Tray tray;
    tray.gpus[0].nvlink.fabric.clique = tray.gpus[1].nvlink.fabric.clique = 9;
    tray.scope.gpus = {0, 1};
    EXPECT_TRUE(tray.judge().empty());
}

TEST(FabricPlace, OnlyCompletedRegistrationsHaveAPlace) {
    Tray tray;
    tray.gpus[1].nvlink.fabric.state = kFabricInProgress;
    tray.gpus[1].nvlink.fabric.clique = 0;
    EXPECT_TRUE(tray.judge().empty());
}

}  // namespace
}  // namespace yardmaster
