// yardmaster-prolog --passive, as slurmd starts a HealthCheckProgram or an Epilog.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/prolog/prolog_program.hpp"

namespace yardmaster {
namespace {

using ::testing::HasSubstr;
using testing::Outcome;
using testing::write_file;
using Passive = testing::PrologProgram;

constexpr const char* kReportOnly = "\"enforce\": false, ";

TEST_F(Passive, HealthyNodeIsSilent) {
    const Outcome outcome = run_passive();
    EXPECT_EQ(outcome.exit_status, 0);
    EXPECT_EQ(outcome.output, "");
    EXPECT_TRUE(evidence().empty());
    EXPECT_TRUE(journal().empty());
}

TEST_F(Passive, WholeNodeIsCheckedAndTheEvidenceSaysOnWhatOccasion) {
    write_policy(kReportOnly);
    ASSERT_TRUE(node_.set_rate("mlx5_7", 100));
    const Outcome outcome = run_passive();
    EXPECT_EQ(outcome.exit_status, 0);
    EXPECT_THAT(outcome.output, HasSubstr("mlx5_7"));
    ASSERT_EQ(evidence().size(), 1u);
    EXPECT_EQ(evidence()[0].occasion, kOccasionPassive);
    EXPECT_EQ(evidence()[0].report.scope.job, 0u);
    EXPECT_EQ(evidence()[0].report.scope.gpus.size(), 8u);
    EXPECT_THAT(evidence()[0].action.reason, HasSubstr("ym mlx5_7 100/400Gb job 0 ev n0-0-"));
}

TEST_F(Passive, SameConclusionIsToldOnceAndItsEndToo) {
    write_policy(kReportOnly);
    ASSERT_TRUE(node_.set_rate("mlx5_7", 100));
    EXPECT_NE(run_passive().output, "");
    EXPECT_EQ(run_passive().output, "");
    EXPECT_EQ(journal().size(), 1u);
    ASSERT_TRUE(node_.set_rate("mlx5_6", 100));
    EXPECT_THAT(run_passive().output, HasSubstr("mlx5_6"));
    ASSERT_TRUE(node_.heal());
    EXPECT_EQ(run_passive().output, "");  // "healthy again" goes to syslog alone
    EXPECT_EQ(journal().size(), 2u);
    ASSERT_TRUE(node_.set_rate("mlx5_7", 100));
    EXPECT_NE(run_passive().output, "") << "the fault is back";
}

TEST_F(Passive, JobOfAnEpilogIsNamed) {
    write_policy(kReportOnly);
    ASSERT_TRUE(node_.set_rate("mlx5_7", 100));
    run_passive({"SLURM_JOB_ID=77"});
    ASSERT_EQ(evidence().size(), 1u);
    EXPECT_THAT(evidence()[0].action.reason, HasSubstr(" job 77 ev n0-77-"));
}

TEST_F(Passive, UnreachableControllerEndsInTimeWithStatusZero) {
    write_policy("\"deadline_s\": 2, ");
    ASSERT_TRUE(node_.set_rate("mlx5_7", 100));
    const Outcome outcome = run_passive();
    EXPECT_EQ(outcome.exit_status, 0);
    EXPECT_LT(outcome.took, std::chrono::seconds(22));
    ASSERT_EQ(evidence().size(), 1u);
    EXPECT_EQ(evidence()[0].action.outcome, "unreachable");
}

TEST_F(Passive, WithoutAFabricFileNothingIsJudged) {
    std::filesystem::remove(folder_ / "etc/fabric.json");
    ASSERT_TRUE(node_.set_rate("mlx5_7", 100));
    EXPECT_EQ(run_passive().exit_status, 0);
    EXPECT_TRUE(evidence().empty());
}

TEST_F(Passive, UnreadablePolicyStopsItAndSaysSo) {
    write_file(folder_ / "etc/yardmaster.json", "{\"health\": {\"enforcee\": false}}");
    ASSERT_TRUE(node_.set_rate("mlx5_7", 100));
    const Outcome outcome = run_passive();
    EXPECT_EQ(outcome.exit_status, 0);
    EXPECT_THAT(outcome.output, HasSubstr("enforcee"));
    EXPECT_TRUE(evidence().empty());
}

TEST_F(Passive, CountersForPrometheusCountHealthyRunsToo) {
    write_policy("\"prometheus_file\": \"" + folder_.path() + "/ym.prom\", ");
    run_passive();
    run();
    std::string text;
    std::ifstream in(folder_ / "ym.prom");
    std::getline(in, text, '\0');
    EXPECT_THAT(text, HasSubstr("yardmaster_checks_total{verdict=\"healthy\"} 2\n"));
    EXPECT_THAT(text, HasSubstr("yardmaster_simulated 1\n"));
}

}  // namespace
}  // namespace yardmaster
