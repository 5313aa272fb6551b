// Soft health: from findings to a node's Extra, and back again.
#include "prolog/soft_report.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace yardmaster {
namespace {

using testing::HasSubstr;

constexpr std::time_t kNow = 1700000000;
constexpr std::chrono::seconds kDay{86400};

class FakeExtra : public NodeExtra {
  public:
    Result<std::string> read(const std::string&) override {
        return reachable ? Result<std::string>(text)
                         : Status(ErrorCode::kUnavailable, "slurmctld is down");
    }
    Status write(const std::string&, const std::string& extra) override {
        ++writes;
        text = extra;
        return Status::ok();
    }

    std::string text;
    bool reachable = true;
    int writes = 0;
};

Finding finding(const std::string& sign, Verdict verdict, const std::string& text = "flapped") {
    Finding result;
    result.check = sign.substr(0, sign.find('.'));
    result.object = "mlx5_3";
    result.sign = sign;
    result.verdict = verdict;
    result.short_text = text;
    return result;
}

Evidence evidence_with(std::vector<Finding> findings, bool drained = false) {
    Evidence evidence;
    evidence.report.findings = std::move(findings);
    evidence.action.enforced = drained;
    return evidence;
}

SoftState marked(const std::string& cause = "mlx5_3 flapped") {
    return next_soft_state({}, cause, kNow, kDay);
}

TEST(SoftCause, DegradedFindingAndMiswiredGpuAreTold) {
    EXPECT_EQ(soft_cause(evidence_with({finding("port.growth", Verdict::kDegraded)})),
              "mlx5_3 flapped");
    EXPECT_EQ(soft_cause(evidence_with({finding("wiring.nearest", Verdict::kUnknown, "")})),
              "mlx5_3 wiring");
}

TEST(SoftCause, WhatWasNotMeasuredIsNot) {
    EXPECT_EQ(soft_cause(evidence_with({})), "");
    EXPECT_EQ(soft_cause(evidence_with({finding("rdma.not-run", Verdict::kUnknown)})), "");
}

TEST(SoftCause, DrainedNodeNeedsNoMark) {
    EXPECT_EQ(soft_cause(evidence_with({finding("port.growth", Verdict::kDegraded)}, true)), "");
}

TEST(SoftCause, SimulatedHardwareIsCalledSo) {
    Evidence evidence = evidence_with({finding("port.growth", Verdict::kDegraded)});
    evidence.report.readings.simulated = {"sysfs"};
    EXPECT_EQ(soft_cause(evidence), "mlx5_3 flapped SIMULATED");
}

TEST(SoftState, MarkCountsForTheConfiguredTimeAndIsThenTakenBack) {
    const SoftState state = marked();
    EXPECT_EQ(state.mark, (SoftMark{"mlx5_3 flapped", kNow, kNow + 86400}));
    EXPECT_EQ(next_soft_state(state, "", kNow + 86399, kDay).mark, state.mark);
    EXPECT_FALSE(next_soft_state(state, "", kNow + 86400, kDay).mark);
}

TEST(SoftState, FurtherFindingsRenewItInItsSecondHalfOnly) {
    const SoftState state = marked();
    EXPECT_EQ(next_soft_state(state, "GPU2 PCIe errors", kNow + 43200, kDay).mark, state.mark);
    EXPECT_EQ(next_soft_state(state, "GPU2 PCIe errors", kNow + 43201, kDay).mark,
              (SoftMark{"GPU2 PCIe errors", kNow, kNow + 43201 + 86400}));
}

TEST(SoftState, ReadsBackWhatItWrote) {
    SoftState state = marked();
    state.told = wanted_extra(state);
    state.taken = true;
    const auto document = JsonDocument::parse(to_json(state).dump_exact());
    SoftState back;
    ASSERT_TRUE(document && from_json(document->root(), back));
    EXPECT_EQ(back.mark, state.mark);
    EXPECT_EQ(back.told, state.told);
    EXPECT_TRUE(back.taken);
}

TEST(TellSoft, MarkIsWrittenAndTakenBack) {
    FakeExtra extra;
    SoftState state = marked();
    EXPECT_THAT(tell_soft(extra, "n0", state), HasSubstr("mlx5_3 flapped"));
    EXPECT_EQ(extra.text, format_soft_mark(*state.mark));
    EXPECT_EQ(state.told, extra.text);
    state = next_soft_state(state, "", kNow + 2 * 86400, kDay);
    EXPECT_EQ(tell_soft(extra, "n0", state), "no longer soft-degraded");
    EXPECT_EQ(extra.text, "");
    EXPECT_EQ(state.told, "");
}

TEST(TellSoft, ForeignExtraIsLeftAloneAndToldOnce) {
    FakeExtra extra;
    extra.text = "rack 12";
    SoftState state = marked();
    EXPECT_THAT(tell_soft(extra, "n0", state), HasSubstr("somebody else's: rack 12"));
    EXPECT_EQ(state.told, wanted_extra(state)) << "no call at every job after it";
    state = next_soft_state(state, "mlx5_4 errors", kNow + 80000, kDay);
    EXPECT_EQ(tell_soft(extra, "n0", state), "");
    EXPECT_EQ(extra.text, "rack 12");
    EXPECT_EQ(extra.writes, 0);
}

TEST(TellSoft, UnreachableControllerIsAskedAgain) {
    FakeExtra extra;
    extra.reachable = false;
    SoftState state = marked();
    EXPECT_THAT(tell_soft(extra, "n0", state), HasSubstr("slurmctld is down"));
    EXPECT_EQ(state.told, "");
    extra.reachable = true;
    tell_soft(extra, "n0", state);
    EXPECT_EQ(extra.writes, 1);
}

TEST(TellSoft, WhatStandsThereAlreadyIsNotWrittenAgain) {
    FakeExtra extra;
    SoftState state = marked();
    extra.text = wanted_extra(state);
    tell_soft(extra, "n0", state);
    EXPECT_EQ(extra.writes, 0);
    EXPECT_EQ(state.told, extra.text);
}

}  // namespace
}  // namespace yardmaster
