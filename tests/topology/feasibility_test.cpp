#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "topology/hints.hpp"

namespace yardmaster {
namespace {

using testing::HasSubstr;

const Fabric& hgx() {
    static const Fabric fabric = *Fabric::load(std::string(YM_TEST_DATA) + "/hgx.json");
    return fabric;
}
const Fabric& nvl72() {
    static const Fabric fabric = *Fabric::load(std::string(YM_TEST_DATA) + "/nvl72.json");
    return fabric;
}

Status check(const char* words, JobShape shape, const Fabric& fabric) {
    return check_feasible(*parse_hints(words), shape, fabric);
}

void expect(const Status& status, ErrorCode code, const char* part) {
    EXPECT_EQ(status.code(), code) << status.message();
    EXPECT_THAT(status.message(), HasSubstr(part));
}

TEST(CheckFeasible, WhatFitsIsAccepted) {
    EXPECT_TRUE(check("", {100000, 64}, hgx()));
    EXPECT_TRUE(check("tp8&pp2&dp4", {8, 8}, hgx()));
    EXPECT_TRUE(check("tp8&pp2", {0, 8}, hgx()));
    EXPECT_TRUE(check("tp4&cp2&ep8", {8, 8}, hgx()));
    EXPECT_TRUE(check("leaf", {4, 0}, hgx()));
    EXPECT_TRUE(check("tp64&leaf", {48, 4}, nvl72()));
    EXPECT_TRUE(check("tp12", {3, 4}, nvl72()));
}

TEST(CheckFeasible, TooLargeTpNamesTheLargestThatFits) {
    expect(check("tp16", {4, 8}, hgx()),
           ErrorCode::kInfeasible,
           "tp16: largest NVLink domain here has 8 GPUs, so the largest that fits is tp8");
    expect(check("tp16", {0, 8}, hgx()), ErrorCode::kInfeasible, "the largest that fits is tp8");
    expect(check("tp8", {4, 4}, hgx()),
           ErrorCode::kInfeasible,
           "takes whole groups of 2 nodes; at most 1 such node here share NVLink, so the largest "
           "that fits is tp4");
    expect(check("tp128", {32, 4}, nvl72()),
           ErrorCode::kInfeasible,
           "largest NVLink domain here has 72 GPUs, so the largest that fits is tp64");
}

TEST(CheckFeasible, TooFewDomainsForTheGroups) {
    // 16, 17 and 18 trays hold 4 + 4 + 4 groups of 4.
    EXPECT_TRUE(check("tp16", {48, 4}, nvl72()));
    expect(check("tp20", {50, 4}, nvl72()), ErrorCode::kInfeasible, "hold 45 nodes");
}

TEST(CheckFeasible, SizesMustDivideTheJob) {
    expect(check("tp8&pp3", {8, 8}, hgx()), ErrorCode::kInvalidArgument, "24 does not divide 64");
    expect(check("tp8&pp2&dp2", {8, 8}, hgx()), ErrorCode::kInvalidArgument, "write dp4");
    EXPECT_TRUE(check("tp8&dp4", {8, 8}, hgx())) << "pp is left out and follows: 2";
    expect(check("tp65536&cp65536&pp65536&dp65536", {8, 8}, hgx()),
           ErrorCode::kInvalidArgument,
           "must divide");
}

TEST(CheckFeasible, ExpertsDivideTheDataParallelRanks) {
    EXPECT_TRUE(check("tp8&pp2&ep4", {8, 8}, hgx()));
    expect(check("tp8&pp2&ep3", {8, 8}, hgx()), ErrorCode::kInvalidArgument, "these 4");
    expect(check("dp4&ep3", {0, 8}, hgx()), ErrorCode::kInvalidArgument, "these 4");
}

TEST(CheckFeasible, SizesNeedGpusPerNode) {
    expect(check("tp8", {4, 0}, hgx()), ErrorCode::kInvalidArgument, "--gpus-per-node");
    expect(check("rail", {4, 0}, hgx()), ErrorCode::kInvalidArgument, "--gpus-per-node");
}

TEST(CheckFeasible, NodesMustExist) {
    expect(check("tp4", {4, 12}, hgx()), ErrorCode::kInfeasible, "no node here has 12 GPUs");
    expect(check("rail", {17, 8}, hgx()), ErrorCode::kInfeasible, "has 16 with 8 GPUs");
    EXPECT_TRUE(check("pp17", {17, 8}, hgx())) << "soft hints never make a job infeasible";
}

TEST(CheckFeasible, LeafMustHoldTheWholeJob) {
    expect(check("leaf", {5, 8}, hgx()),
           ErrorCode::kInfeasible,
           "the largest leaf group here, leaf11, holds 4 for it");
    EXPECT_TRUE(check("leaf&tp8", {50, 4}, nvl72()));
}

}  // namespace
}  // namespace yardmaster
