// A start that cannot be over in time is not begun.
#include "healthcheck/nccl/nccl_start.hpp"

#include <gmock/gmock.h>

#include "tests/healthcheck/nccl_case.hpp"
#include "tests/healthcheck/nccl_probe_run.hpp"

namespace yardmaster {
namespace {

using std::chrono::milliseconds;
using ::testing::HasSubstr;
using testing::nccl_reading;

NcclReading started(double context_ms, double init_ms) {
    NcclReading reading = nccl_reading();
    reading.attempts.back().context_ms = context_ms;
    reading.attempts.back().init_ms = init_ms;
    return reading;
}

NcclReading given_up_after(milliseconds limit) {
    NcclReading reading = nccl_reading();
    reading.attempts.back().ended = false;
    reading.start_limit = limit;
    return reading;
}

/// A later run over the same GPUs that knows what `earlier` taught.
NcclReading after(const NcclReading& earlier) {
    NcclReading reading = nccl_reading();
    reading.attempts.clear();
    learn_start(earlier, 1000, reading.starts);
    return reading;
}

TEST(NcclStart, TimeThatItTookIsNeededAgain) {
    const NcclReading reading = after(started(1000, 2400));
    EXPECT_FALSE(too_little_time(reading, milliseconds(3900)));
    const auto why = too_little_time(reading, milliseconds(3899));
    ASSERT_TRUE(why);
    EXPECT_EQ(*why,
              "3.9 s were left for it, and its contexts and communicators took 3.4 s last "
              "time, without the measuring");
}

TEST(NcclStart, TimeThatWasTooShortIsTooShortAgain) {
    const NcclReading reading = after(given_up_after(milliseconds(3000)));
    EXPECT_FALSE(too_little_time(reading, milliseconds(4250)));
    const auto why = too_little_time(reading, milliseconds(4200));
    ASSERT_TRUE(why);
    EXPECT_THAT(*why, HasSubstr("were not ready after 3.0 s last time"));
}

TEST(NcclStart, NothingKnownLeavesItToATry) {
    EXPECT_FALSE(too_little_time(nccl_reading(), milliseconds(1)));
    NcclReading others = after(started(1000, 2400));
    others.uuids.pop_back();
    EXPECT_FALSE(too_little_time(others, milliseconds(1))) << "fewer GPUs";
    others = after(started(1000, 2400));
    others.driver = "560.35.03";
    EXPECT_FALSE(too_little_time(others, milliseconds(1)));
}

TEST(NcclStart, FailuresThatAreNoMatterOfTimeTeachNothing) {
    for (const NcclFault fault : {NcclFault::kAbsent,
                                  NcclFault::kFabricManager,
                                  NcclFault::kNoMemory,
                                  NcclFault::kFailed}) {
        NcclReading reading = given_up_after(milliseconds(3000));
        reading.attempts.back().fault = fault;
        EXPECT_TRUE(after(reading).starts.empty()) << to_string(fault);
    }
    NcclReading not_run = nccl_reading();
    not_run.attempts.clear();
    EXPECT_TRUE(after(not_run).starts.empty());
}

TEST(NcclStart, LastOneStandsForAnHour) {
    std::vector<NcclStart> starts;
    learn_start(given_up_after(milliseconds(4000)), 1000, starts);
    learn_start(started(500, 1500), 2000, starts);
    ASSERT_EQ(starts.size(), 1u);
    EXPECT_TRUE(starts[0].ready);
    EXPECT_DOUBLE_EQ(starts[0].seconds, 2);
    EXPECT_TRUE(counts(starts[0], 5599));
    EXPECT_FALSE(counts(starts[0], 5600));
    EXPECT_FALSE(counts(starts[0], 1999)) << "of another boot";
}

TEST(NcclStart, IsReadBackAsWritten) {
    NcclBaselines baselines;
    learn_start(started(1000, 2400), 12.5, baselines.starts);
    const auto document = JsonDocument::parse(to_json(baselines).dump_exact());
    ASSERT_TRUE(document);
    NcclBaselines back;
    const Status status = from_json(document->root(), back);
    ASSERT_TRUE(status) << status.message();
    EXPECT_EQ(to_json(back).dump_exact(), to_json(baselines).dump_exact());
    const auto older = JsonDocument::parse(R"({"baselines": []})");
    EXPECT_TRUE(from_json(older->root(), back)) << "as kept before starts were";
}

class NcclStartOnANode : public testing::NcclProbeRun {};

TEST_F(NcclStartOnANode, SlowStartIsLeftOutWhereLittleTimeIsLeft) {
    ASSERT_TRUE(node_.change_nccl([](sim::NcclScenario& s) { s.init_ms = 6000; }));
    EXPECT_EQ(run_and_keep().verdict, Verdict::kHealthy);
    const auto budget = milliseconds(5500);
    const Report left_out = run(budget);
    EXPECT_TRUE(left_out.readings.nccl.attempts.empty());
    EXPECT_THAT(left_out.readings.nccl.not_run, HasSubstr("communicators took 6."));
    EXPECT_EQ(left_out.verdict, Verdict::kHealthy) << causes(left_out);
    EXPECT_LT(left_out.took, budget);

    sources_.nccl.mode = CheckMode::kOn;
    const Report wanted = run(budget);
    ASSERT_EQ(wanted.findings.size(), 1u);
    EXPECT_EQ(wanted.findings[0].sign, "nccl.not_run");
    EXPECT_EQ(wanted.verdict, Verdict::kUnknown);
}

TEST_F(NcclStartOnANode, StartThatIsGivenUpIsNotTriedAtEveryRun) {
    fault("hang-init");
    const auto budget = milliseconds(5000);
    Report report = run(budget);
    EXPECT_EQ(report.verdict, Verdict::kUnknown);
    EXPECT_TRUE(keep_nccl(report.readings.nccl, report.findings, sources_));
    report = run(budget);
    EXPECT_THAT(report.readings.nccl.not_run, HasSubstr("were not ready after"));
    EXPECT_EQ(report.verdict, Verdict::kHealthy) << causes(report);
    fault("none");
    EXPECT_FALSE(run().readings.nccl.attempts.empty()) << "with time it is tried";
}

}  // namespace
}  // namespace yardmaster
