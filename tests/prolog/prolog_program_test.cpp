// The yardmaster-prolog program as slurmd starts it, on a simulated node, without a slurmctld.
#include "tests/prolog/prolog_program.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace yardmaster {
namespace {

using std::chrono::seconds;
using ::testing::HasSubstr;
using testing::Outcome;
using testing::run_program;
using testing::write_file;

using testing::kSlack;
using testing::Outcome;
using testing::PrologProgram;
using testing::run_program;

TEST_F(PrologProgram, HealthyNodeStartsTheJobInSilence) {
    const Outcome outcome = run();
    EXPECT_EQ(outcome.exit_status, 0);
    EXPECT_EQ(outcome.output, "");
    EXPECT_TRUE(evidence().empty());
}

TEST_F(PrologProgram, LossOfAllReduceIsFoundAgainstWhatEarlierRunsLeft) {
#ifndef YM_NCCL_PROBE
    GTEST_SKIP() << "yardmaster-nccl-probe is not built (YM_NCCL=OFF)";
#else
    write_policy(
        "\"enforce\": false, \"deadline_s\": 100, \"rdma\": {\"mode\": \"off\"}, "
        "\"nccl\": {\"max_init_s\": 60, \"probe\": \"" YM_NCCL_PROBE "\", \"library\": \"" +
        node_.nccl_library() + "\", \"cuda_library\": \"" + node_.cuda_library() + "\"}, ");
    for (int i = 0; i < 3; ++i) {
        EXPECT_EQ(run().output, "");
    }
    ASSERT_TRUE(node_.change_nccl([](sim::NcclScenario& scenario) { scenario.share = 0.85; }));
    const Outcome outcome = run();
    EXPECT_EQ(outcome.exit_status, 0);
    EXPECT_THAT(outcome.output, HasSubstr("NCCL: all-reduce of"));
    ASSERT_EQ(evidence().size(), 1u);
    EXPECT_EQ(evidence()[0].report.verdict, Verdict::kDegraded);
#endif
}

TEST_F(PrologProgram, JobWithoutGpusIsNotChecked) {
    ASSERT_TRUE(node_.set_rate("mlx5_3", 100));
    const Outcome outcome = run("");
    EXPECT_EQ(outcome.exit_status, 0);
    EXPECT_EQ(outcome.output, "");
}

TEST_F(PrologProgram, ReportOnlyKeepsEvidenceAndStartsTheJob) {
    write_policy("\"enforce\": false, ");
    ASSERT_TRUE(node_.set_rate("mlx5_3", 100));
    const Outcome outcome = run();
    EXPECT_EQ(outcome.exit_status, 0);
    EXPECT_THAT(outcome.output, HasSubstr("mlx5_3"));
    EXPECT_THAT(outcome.output, HasSubstr("SIMULATED"));
    EXPECT_THAT(outcome.output, HasSubstr("it would drain the node as \"ym mlx5_3 100/400Gb"));
    const auto kept = evidence();
    ASSERT_EQ(kept.size(), 1u);
    EXPECT_EQ(kept[0].report.verdict, Verdict::kDegraded);
    EXPECT_FALSE(kept[0].action.enforced);
    EXPECT_EQ(kept[0].action.outcome, "report-only");
    EXPECT_THAT(kept[0].action.reason, HasSubstr("ym mlx5_3 100/400Gb job 12 ev n0-12-"));
    EXPECT_THAT(kept[0].action.reason, HasSubstr("SIMULATED"));
    ASSERT_EQ(journal().size(), 1u);
    EXPECT_EQ(journal()[0].evidence_id, kept[0].id);
    EXPECT_EQ(journal()[0].action, "report-only");
    EXPECT_EQ(journal()[0].objects.at(0).firmware, "28.39.1002");
}

TEST_F(PrologProgram, UnreachableControllerStartsTheJobWithinTheDeadline) {
    write_policy("\"deadline_s\": 2, ");
    ASSERT_TRUE(node_.change_gpu(2, [](sim::SimGpu& gpu) { gpu.lost = true; }));
    const Outcome outcome = run();
    EXPECT_EQ(outcome.exit_status, 0);
    EXPECT_LT(outcome.took, seconds(2) + kSlack);
    const auto kept = evidence();
    ASSERT_EQ(kept.size(), 1u);
    EXPECT_EQ(kept[0].action.outcome, "unreachable");
    EXPECT_EQ(kept[0].report.findings.at(0).object, "GPU2");
}

TEST_F(PrologProgram, HungDriverIsUnknownWithinTheDeadline) {
    write_policy("\"deadline_s\": 2, ");
    ASSERT_TRUE(node_.change_scenario([](sim::Scenario& scenario) {
        scenario.hang_s = 600;
        return Status::ok();
    }));
    const Outcome outcome = run();
    EXPECT_EQ(outcome.exit_status, 0);
    EXPECT_LT(outcome.took, seconds(2) + kSlack);
    ASSERT_EQ(evidence().size(), 1u);
    EXPECT_EQ(evidence()[0].report.verdict, Verdict::kUnknown);
}

TEST_F(PrologProgram, UnreadablePolicyNeverDrains) {
    ASSERT_TRUE(node_.set_rate("mlx5_3", 100));
    write_file(folder_ / "etc/yardmaster.json", "{\"health\": {\"enforcee\": false}}");
    const Outcome outcome = run();
    EXPECT_EQ(outcome.exit_status, 0);
    EXPECT_THAT(outcome.output, HasSubstr("enforcee"));
    EXPECT_TRUE(evidence().empty());
}

TEST_F(PrologProgram, WithoutAFabricFileTheGpusAreStillChecked) {
    write_policy("\"enforce\": false, ");
    std::filesystem::remove(folder_ / "etc/fabric.json");
    ASSERT_TRUE(node_.change_gpu(1, [](sim::SimGpu& gpu) { gpu.links_down = {0}; }));
    EXPECT_EQ(run().exit_status, 0);
    const auto kept = evidence();
    ASSERT_EQ(kept.size(), 1u);
    EXPECT_EQ(kept[0].report.verdict, Verdict::kDegraded);
    EXPECT_THAT(kept[0].report.scope.rails_unknown, HasSubstr("fabric.json"));
}

TEST_F(PrologProgram, GpuIsTheOneThatGresConfMeans) {
    write_policy("\"enforce\": false, \"wiring\": false, ");  // its NICs do not move along
    write_file(folder_ / "etc/gres.conf",
               "AutoDetect=off\nName=gpu Type=h100 File=/dev/nvidia[4-7,0-3]\n");
    ASSERT_TRUE(node_.change_gpu(5, [](sim::SimGpu& gpu) { gpu.links_down = {0}; }));
    EXPECT_EQ(run("5").exit_status, 0);
    EXPECT_TRUE(evidence().empty()) << "the job's is /dev/nvidia1";
    EXPECT_EQ(run("1").exit_status, 0);
    ASSERT_EQ(evidence().size(), 1u);
    EXPECT_EQ(evidence()[0].report.findings.at(0).object, "GPU5");
}

TEST_F(PrologProgram, UnwritableEvidenceDoesNotChangeTheVerdict) {
    write_policy("\"enforce\": false, ");
    ASSERT_TRUE(node_.set_rate("mlx5_3", 100));
    write_file(folder_ / "n0/evidence", "a file in the way");
    const Outcome outcome = run();
    EXPECT_EQ(outcome.exit_status, 0);
    EXPECT_THAT(outcome.output, HasSubstr("degraded, report-only"));
    EXPECT_THAT(outcome.output, HasSubstr("not kept"));
}

TEST_F(PrologProgram, HostileEnvironmentStartsTheJobAndSaysWhy) {
    const Outcome outcome = run("0;reboot");
    EXPECT_EQ(outcome.exit_status, 0);
    EXPECT_THAT(outcome.output, HasSubstr("SLURM_JOB_GPUS"));
}

TEST_F(PrologProgram, HelpAndVersionAreTold) {
    EXPECT_THAT(run_program({"--help"}, {}).output, HasSubstr("usage:"));
    EXPECT_THAT(run_program({"--version"}, {}).output, HasSubstr(YM_VERSION));
}

}  // namespace
}  // namespace yardmaster
