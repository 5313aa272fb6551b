#include "healthcheck/nccl/nccl_judge.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "healthcheck/reason.hpp"
#include "tests/healthcheck/nccl_case.hpp"

namespace yardmaster {
namespace {

using testing::add_baseline;
using testing::add_pass;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::kNcclMiB;
using testing::nccl_reading;
using ::testing::SizeIs;

constexpr std::uint64_t kGiB = 1024 * kNcclMiB;

NcclReading measured(double first, double second, std::size_t runs) {
    NcclReading reading = nccl_reading();
    add_baseline(reading, kGiB, 460, runs);
    add_pass(reading, kGiB, 1, first);
    add_pass(reading, kGiB, 2, second);
    return reading;
}

NcclReading failed(NcclFault fault, const std::string& error) {
    NcclReading reading = nccl_reading();
    reading.attempts.back().ended = false;
    reading.attempts.back().fault = fault;
    reading.attempts.back().error = error;
    return reading;
}

TEST(NcclJudge, UsualBandwidthIsHealthy) {
    EXPECT_THAT(judge_nccl(measured(455, 462, 3)), IsEmpty());
    EXPECT_THAT(judge_nccl(measured(424, 424, 3)), IsEmpty());
}

TEST(NcclJudge, SlowInBothPassesIsProvenAndNamedInTheReason) {
    const auto findings = judge_nccl(measured(391, 390, 3));
    ASSERT_THAT(findings, SizeIs(1));
    EXPECT_TRUE(findings[0].repeated);
    EXPECT_FALSE(findings[0].certain);
    EXPECT_EQ(combine(findings), Verdict::kDegraded);
    EXPECT_EQ(cause_of(findings[0]), "NCCL 391/460GB/s");
    EXPECT_THAT(findings[0].detail, HasSubstr("measured again"));
}

TEST(NcclJudge, SlowOnceAndGoodOnceIsHealthy) {
    EXPECT_THAT(judge_nccl(measured(391, 455, 3)), IsEmpty());
    EXPECT_THAT(judge_nccl(measured(455, 391, 3)), IsEmpty());
}

TEST(NcclJudge, SlowMeasuredOnceIsOneSign) {
    NcclReading reading = measured(391, 391, 3);
    reading.attempts.back().sizes.pop_back();
    const auto findings = judge_nccl(reading);
    ASSERT_THAT(findings, SizeIs(1));
    EXPECT_EQ(findings[0].verdict, Verdict::kDegraded);
    EXPECT_EQ(combine(findings), Verdict::kUnknown);
}

TEST(NcclJudge, SlowOnWaysThatOtherJobsShareIsOneSign) {
    NcclReading reading = measured(391, 391, 3);
    reading.shared_ways = true;
    const auto findings = judge_nccl(reading);
    ASSERT_THAT(findings, SizeIs(1));
    EXPECT_EQ(combine(findings), Verdict::kUnknown);
    EXPECT_THAT(findings[0].detail, HasSubstr("other jobs"));
}

TEST(NcclJudge, TooFewEarlierRunsLeaveItUnknown) {
    const auto findings = judge_nccl(measured(391, 391, 2));
    ASSERT_THAT(findings, SizeIs(1));
    EXPECT_EQ(findings[0].verdict, Verdict::kUnknown);
}

TEST(NcclJudge, OtherConditionsAreNotComparedWith) {
    NcclReading reading = measured(391, 391, 3);
    reading.attempts.back().nccl = "2.29.1";
    EXPECT_THAT(judge_nccl(reading), IsEmpty());
    reading = measured(391, 391, 3);
    reading.uuids.pop_back();
    EXPECT_THAT(judge_nccl(reading), IsEmpty());
}

TEST(NcclJudge, FarBelowPublicFiguresIsASuspicionOnlyWithoutBaseline) {
    NcclReading reading = nccl_reading();
    add_pass(reading, kGiB, 1, 200);
    add_pass(reading, kGiB, 2, 200);
    auto findings = judge_nccl(reading);
    ASSERT_THAT(findings, SizeIs(1));
    EXPECT_EQ(findings[0].verdict, Verdict::kDegraded);
    EXPECT_FALSE(findings[0].repeated);
    EXPECT_EQ(combine(findings), Verdict::kUnknown);
    reading.min_share = 0;
    EXPECT_THAT(judge_nccl(reading), IsEmpty());
    reading.min_share = 0.6;
    add_baseline(reading, kGiB, 200, 3);
    EXPECT_THAT(judge_nccl(reading), IsEmpty());
}

TEST(NcclJudge, WrongSumsAreCertainWhateverTheBandwidth) {
    NcclReading reading = measured(460, 460, 3);
    reading.attempts.back().sums = NcclSums::kWrong;
    reading.attempts.back().sums_detail = "GPU 7 of the job has 0";
    const auto findings = judge_nccl(reading);
    ASSERT_THAT(findings, SizeIs(1));
    EXPECT_TRUE(findings[0].certain);
    EXPECT_EQ(cause_of(findings[0]), "NCCL wrong sums");
}

// Rows 26 and 27 of the table of small inputs.
TEST(NcclJudge, FabricManagerIsNamedAndProvenBySecondAttempt) {
    NcclReading reading =
        failed(NcclFault::kFabricManager, "cuInit: system not yet initialized (802)");
    EXPECT_TRUE(wants_second_attempt(reading));
    auto findings = judge_nccl(reading);
    ASSERT_THAT(findings, SizeIs(1));
    EXPECT_EQ(combine(findings), Verdict::kUnknown);
    reading.attempts.push_back(reading.attempts.back());
    EXPECT_FALSE(wants_second_attempt(reading));
    findings = judge_nccl(reading);
    ASSERT_THAT(findings, SizeIs(1));
    EXPECT_EQ(combine(findings), Verdict::kDegraded);
    EXPECT_EQ(cause_of(findings[0]), "fabric manager");
    EXPECT_THAT(findings[0].detail, HasSubstr("no slow link"));
}

TEST(NcclJudge, FabricManagerThatCameUpMeanwhileIsHealthy) {
    NcclReading reading = failed(NcclFault::kFabricManager, "cuInit: 802");
    reading.attempts.push_back(nccl_reading().attempts.front());
    EXPECT_THAT(judge_nccl(reading), IsEmpty());
}

TEST(NcclJudge, NvlsWarningAloneIsOneSignAndWithLossTwo) {
    NcclReading reading = measured(455, 455, 3);
    reading.attempts.back().warning = "NVLS multicast memory cannot be bound";
    EXPECT_EQ(combine(judge_nccl(reading)), Verdict::kUnknown);
    reading.attempts.back().sizes.resize(1);
    reading.attempts.back().sizes[0].busbw = {350};
    EXPECT_EQ(combine(judge_nccl(reading)), Verdict::kDegraded);
}

TEST(NcclJudge, WarningOfOtherThingsIsNone) {
    NcclReading reading = measured(455, 455, 3);
    reading.attempts.back().warning = "Missing iommu=pt in kernel command line";
    EXPECT_THAT(judge_nccl(reading), IsEmpty());
}

TEST(NcclJudge, GivenUpIsUnknownAndSaysWhere) {
    NcclReading reading = measured(455, 455, 3);
    reading.attempts.back().ended = false;
    reading.attempts.back().step = "communicators";
    const auto findings = judge_nccl(reading);
    ASSERT_THAT(findings, SizeIs(1));
    EXPECT_EQ(findings[0].verdict, Verdict::kUnknown);
    EXPECT_THAT(findings[0].detail, HasSubstr("communicators"));
}

TEST(NcclJudge, ToolErrorsAreUnknown) {
    for (const NcclFault fault : {NcclFault::kNoMemory, NcclFault::kHung, NcclFault::kFailed}) {
        const auto findings = judge_nccl(failed(fault, "it failed"));
        ASSERT_THAT(findings, SizeIs(1));
        EXPECT_EQ(findings[0].verdict, Verdict::kUnknown);
    }
    NcclReading silent = nccl_reading();
    silent.attempts.clear();
    ASSERT_THAT(judge_nccl(silent), SizeIs(1));
    EXPECT_EQ(judge_nccl(silent)[0].verdict, Verdict::kUnknown);
}

TEST(NcclJudge, NotRunIsAFindingOnlyWhereItIsNeeded) {
    NcclReading reading = failed(NcclFault::kAbsent, "libnccl.so.2: cannot open");
    EXPECT_THAT(judge_nccl(reading), IsEmpty());
    reading.needed = true;
    EXPECT_THAT(judge_nccl(reading), SizeIs(1));
    NcclReading planned = nccl_reading();
    planned.attempts.clear();
    planned.not_run = "no time was left for it";
    EXPECT_THAT(judge_nccl(planned), IsEmpty());
    planned.needed = true;
    ASSERT_THAT(judge_nccl(planned), SizeIs(1));
    EXPECT_EQ(judge_nccl(planned)[0].detail, "no time was left for it");
    EXPECT_THAT(judge_nccl(NcclReading{}), IsEmpty());
}

TEST(NcclFaults, TextsOfTheFabricManagerAreTold) {
    EXPECT_TRUE(tells_of_fabric_manager("CUDA failure 802 'system not yet initialized'"));
    EXPECT_TRUE(tells_of_fabric_manager("Failed to bind NVLink SHARP (NVLS) memory"));
    EXPECT_TRUE(tells_of_fabric_manager("an error in the Fabric Manager"));
    EXPECT_FALSE(tells_of_fabric_manager("remote process exited or network error"));
    EXPECT_FALSE(tells_of_fabric_manager(""));
    EXPECT_EQ(fault_of_cuda(802), NcclFault::kFabricManager);
    EXPECT_EQ(fault_of_cuda(2), NcclFault::kNoMemory);
    EXPECT_EQ(fault_of_cuda(719), NcclFault::kFailed);
}

}  // namespace
}  // namespace yardmaster
