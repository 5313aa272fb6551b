// `yardmaster recheck` and `yardmaster resume`: own drains only, and only after a passing re-check.
#include <gmock/gmock.h>

#include "tests/cli/review_site.hpp"

namespace yardmaster::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

class Recheck : public ReviewSite {};
class Resume : public ReviewSite {};

TEST_F(Recheck, HealthyNodeMayBeResumedAndTheOutcomeIsKept) {
    const CommandRun run = recheck();
    EXPECT_EQ(run.code, 0) << run.out << run.err;
    EXPECT_THAT(run.out, HasSubstr("yardmaster resume yard04\n"));
    ASSERT_EQ(ids().size(), 1U);
    EXPECT_EQ(newest().occasion, kOccasionRecheck);
    EXPECT_EQ(newest().report.verdict, Verdict::kHealthy);
    ASSERT_EQ(journal().size(), 1U);
    EXPECT_EQ(journal()[0].occasion, kOccasionRecheck);
}

TEST_F(Recheck, DegradedNodeMustNotBeResumed) {
    ASSERT_TRUE(node_.set_rate("mlx5_3", 100));
    const CommandRun run = recheck();
    EXPECT_EQ(run.code, 1);
    EXPECT_THAT(run.out, HasSubstr("yard04 must not be resumed yet: mlx5_3: "));
    EXPECT_EQ(newest().report.verdict, Verdict::kDegraded);
}

TEST_F(Recheck, CountersThatGrewBeforeTheRepairAreToldOnce) {
    ASSERT_EQ(recheck().code, 0);  // takes the baseline
    ASSERT_TRUE(node_.grow_counter("mlx5_3", "counters/link_downed", 1));
    const CommandRun first = recheck();
    EXPECT_EQ(first.code, 3) << first.out;
    EXPECT_THAT(first.out, HasSubstr("a second re-check"));
    EXPECT_EQ(recheck().code, 0);
}

TEST_F(Recheck, OtherHostSaysWhatToTypeThere) {
    setenv("SLURMD_NODENAME", "login1", 1);
    const CommandRun run = recheck();
    EXPECT_EQ(run.code, 3);
    EXPECT_THAT(run.err, HasSubstr("this host is login1. On yard04: yardmaster recheck yard04"));
    EXPECT_THAT(ids(), IsEmpty());
}

TEST_F(Recheck, OutcomeThatCannotBeKeptIsNoPass) {
    yardmaster::testing::write_file(evidence_dir(), "a file in the way");
    const CommandRun run = recheck();
    EXPECT_EQ(run.code, 3);
    EXPECT_THAT(run.err, HasSubstr("the re-check is not kept"));
}

TEST_F(Resume, OwnDrainGoesAfterAPassingRecheck) {
    ASSERT_EQ(recheck().code, 0);
    const FakeSlurm slurm = drained();
    const CommandRun run = resume(slurm);
    EXPECT_EQ(run.code, 0) << run.err;
    EXPECT_THAT(*slurm.undrained, ::testing::ElementsAre("yard04"));
    EXPECT_THAT(run.out, HasSubstr("was: ym mlx5_3 100/400Gb job 4711"));
    ASSERT_EQ(journal().size(), 2U);
    EXPECT_EQ(journal()[1].occasion, kOccasionResume);
    EXPECT_EQ(journal()[1].job, 4711U);
}

TEST_F(Resume, WithoutARecheckItIsRefused) {
    ASSERT_EQ(recheck().code, 0);
    keep_as(newest(), kDrainTime - 10, kOccasionRecheck);  // before the drain
    std::filesystem::remove(evidence_dir() + "/" + ids().back() + ".json");
    const FakeSlurm slurm = drained();
    const CommandRun run = resume(slurm);
    EXPECT_EQ(run.code, 1);
    EXPECT_THAT(run.err, HasSubstr("it has not been re-checked since its drain"));
    EXPECT_THAT(*slurm.undrained, IsEmpty());
}

TEST_F(Resume, HealthyCheckOnAnotherOccasionIsNoRecheck) {
    ASSERT_EQ(recheck().code, 0);
    const Evidence healthy = newest();
    std::filesystem::remove(evidence_dir() + "/" + healthy.id + ".json");
    keep_as(healthy, kDrainTime + 10, kOccasionPassive);
    EXPECT_EQ(resume(drained()).code, 1);
}

TEST_F(Resume, FailedRecheckIsRefusedWithWhatItFound) {
    ASSERT_TRUE(node_.set_rate("mlx5_3", 100));
    ASSERT_EQ(recheck().code, 1);
    const FakeSlurm slurm = drained();
    const CommandRun run = resume(slurm);
    EXPECT_EQ(run.code, 1);
    EXPECT_THAT(run.err, HasSubstr("found it degraded: mlx5_3: "));
    EXPECT_THAT(*slurm.undrained, IsEmpty());
}

TEST_F(Resume, FaultThatWasSeenAfterThePassingRecheckCounts) {
    ASSERT_EQ(recheck().code, 0);
    const std::time_t now = newest().time;
    keep_as(newest(), now - 20, kOccasionRecheck);
    std::filesystem::remove(evidence_dir() + "/" + newest().id + ".json");
    ASSERT_TRUE(node_.set_rate("mlx5_3", 100));
    ASSERT_EQ(recheck().code, 1);
    keep_as(newest(), now - 10, kOccasionPassive);
    std::filesystem::remove(evidence_dir() + "/" + newest().id + ".json");
    ASSERT_EQ(ids().size(), 2U);
    const CommandRun run = resume(drained());
    EXPECT_EQ(run.code, 1);
    EXPECT_THAT(run.err, HasSubstr("a later check of "));
}

TEST_F(Resume, VerdictIsJudgedAnewNotBelieved) {
    ASSERT_TRUE(node_.set_rate("mlx5_3", 100));
    ASSERT_EQ(recheck().code, 1);
    Evidence edited = newest();
    edited.report.verdict = Verdict::kHealthy;
    edited.report.findings.clear();
    keep_as(edited, edited.time, kOccasionRecheck);
    EXPECT_EQ(resume(drained()).code, 1);
}

TEST_F(Resume, SimulatedHardwareDoesNotSpeakForReal) {
    ASSERT_EQ(recheck().code, 0);
    const CommandRun run = resume(drained(our_reason(false)));
    EXPECT_EQ(run.code, 1);
    EXPECT_THAT(run.err, HasSubstr("SIMULATED"));
}

TEST_F(Resume, OthersDrainsAndEditedOnesAreNeverTouched) {
    ASSERT_EQ(recheck().code, 0);
    const std::string others =
        format_reason({"mlx5_3 100/400Gb", 4711, "yard05-4711-1700000000", true, "another node's"});
    for (const std::string& reason : {std::string("replacing a fan"),
                                      std::string("ymir is my node"),
                                      std::string(""),
                                      std::string("ym mlx5_3, cable ordered"),
                                      others}) {
        const FakeSlurm slurm = drained(reason);
        const CommandRun run = resume(slurm);
        EXPECT_EQ(run.code, 1) << reason;
        EXPECT_THAT(run.err, HasSubstr("\"" + reason + "\""));
        EXPECT_THAT(*slurm.undrained, IsEmpty()) << reason;
    }
}

TEST_F(Resume, ReasonThatChangesMeanwhileIsLeftAlone) {
    ASSERT_EQ(recheck().code, 0);
    FakeSlurm slurm = drained();
    slurm.before_look = [](int look, std::vector<SlurmNode>& nodes) {
        if (look == 2) {
            nodes[0].reason = "admin was here";
        }
    };
    const CommandRun run = resume(slurm);
    EXPECT_EQ(run.code, 1);
    EXPECT_THAT(run.err, HasSubstr("its drain has changed meanwhile: \"admin was here\""));
    EXPECT_THAT(*slurm.undrained, IsEmpty());
}

TEST_F(Resume, NodeInServiceHasNothingToResume) {
    FakeSlurm slurm = drained();
    slurm.cluster[0].drained = false;
    EXPECT_EQ(resume(slurm).code, 0);
    EXPECT_THAT(*slurm.undrained, IsEmpty());
    EXPECT_EQ(run_command({"resume", "zoo1"}, slurm).code, 3);
}

TEST_F(Resume, EvidenceOnAnotherHostIsSaid) {
    const CommandRun run = resume(drained());  // no folder here
    EXPECT_EQ(run.code, 3);
    EXPECT_THAT(run.err, HasSubstr("the evidence of yard04 lies on it"));
}

TEST_F(Resume, DrainsTellThatItMayBeResumed) {
    ASSERT_EQ(recheck().code, 0);
    const CommandRun text = run_command({"drains"}, drained());
    EXPECT_THAT(text.out, HasSubstr("healthy; to resume it: yardmaster resume yard04\n"));
    const CommandRun json = run_command({"drains", "--json"}, drained());
    const auto document = JsonDocument::parse(json.out);
    ASSERT_TRUE(document);
    const auto drains = document->root().at("drains")->elements();
    EXPECT_EQ(*drains->front().at("judged_since")->at("occasion")->string(), "recheck");
}

}  // namespace
}  // namespace yardmaster::cli
