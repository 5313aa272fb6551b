// `yardmaster evidence` and `yardmaster replay-evidence`.
#include <gmock/gmock.h>

#include "tests/cli/review_site.hpp"

namespace yardmaster::cli {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;

class EvidenceCommand : public ReviewSite {
  protected:
    /// Keeps the bundle of a slow rail as the prolog of job 4711 would have, and returns its file.
    std::string keep_drain() {
        EXPECT_TRUE(node_.set_rate("mlx5_3", 100));
        EXPECT_EQ(recheck().code, 1);
        Evidence evidence = newest();
        std::filesystem::remove(evidence_dir() + "/" + evidence.id + ".json");
        evidence.occasion = kOccasionProlog;
        evidence.time = kDrainTime;
        evidence.id = kDrainId;
        evidence.report.scope.job = 4711;
        evidence.action = {true, "drained", "", our_reason()};
        EXPECT_TRUE(write_evidence(evidence, evidence_dir()));
        return evidence_dir() + "/" + kDrainId + ".json";
    }
    void edit(const std::string& file, const std::function<void(Evidence&)>& change) {
        auto evidence = load_evidence(file);
        ASSERT_TRUE(evidence);
        change(*evidence);
        ASSERT_TRUE(write_evidence(*evidence, evidence_dir()));
    }
};

using ReplayEvidence = EvidenceCommand;

TEST_F(EvidenceCommand, TellsWhatWasReadExpectedConcludedAndDone) {
    keep_drain();
    const CommandRun run = run_command({"evidence", kDrainId});
    EXPECT_EQ(run.code, 0) << run.err;
    EXPECT_THAT(run.out, HasSubstr("for the prolog of job 4711"));
    EXPECT_THAT(run.out,
                ContainsRegex("mlx5_3 +400 Gb/s +4: ACTIVE, 5: LinkUp, 100 Gb/sec.*port.rate"));
    EXPECT_THAT(run.out, ContainsRegex("mlx5_2 +400 Gb/s +.*400 Gb/sec.* as expected"));
    EXPECT_THAT(run.out, ContainsRegex("GPU2 +present +NVIDIA H100.*18 of 18 NVLinks"));
    EXPECT_THAT(run.out, HasSubstr("Verdict: degraded\n  port.rate (degraded, certain): mlx5_3: "));
    EXPECT_THAT(run.out, HasSubstr("Done: drained\n  reason: ym mlx5_3 100/400Gb job 4711"));
    EXPECT_THAT(run.out, HasSubstr("SIMULATED: "));
}

TEST_F(EvidenceCommand, JsonIsTheBundle) {
    keep_drain();
    const CommandRun run = run_command({"evidence", kDrainId, "--dir", evidence_dir(), "--json"});
    EXPECT_EQ(run.code, 0);
    const auto document = JsonDocument::parse(run.out);
    ASSERT_TRUE(document);
    EXPECT_EQ(*document->root().at("id")->string(), kDrainId);
}

TEST_F(EvidenceCommand, BundleOfAnotherNodeIsSaidToBeThere) {
    const CommandRun run = run_command({"evidence", "yard07-12-1700000000"});
    EXPECT_EQ(run.code, 3);
    EXPECT_THAT(run.err, HasSubstr("lies on yard07"));
    EXPECT_THAT(run.err, HasSubstr("scp yard07:" + evidence_dir()));
}

TEST_F(EvidenceCommand, BundleOfThisNodeThatIsNotThereIsNamed) {
    const CommandRun run = run_command({"evidence", "yard04-12-1700000000"});
    EXPECT_EQ(run.code, 3);
    EXPECT_THAT(run.err, HasSubstr("yard04-12-1700000000.json: not there"));
}

TEST_F(ReplayEvidence, SameVersionComesToTheSame) {
    const CommandRun run = run_command({"replay-evidence", keep_drain()});
    EXPECT_EQ(run.code, 0) << run.out;
    EXPECT_THAT(run.out, ContainsRegex("port.rate +mlx5_3 +degraded, certain +same"));
    EXPECT_THAT(run.out, HasSubstr(": degraded, the same\n"));
}

TEST_F(ReplayEvidence, OtherVersionsVerdictIsExplained) {
    const std::string file = keep_drain();
    edit(file, [](Evidence& evidence) {
        evidence.version = "0.0.1";
        evidence.report.verdict = Verdict::kUnknown;
        evidence.report.findings[0].certain = false;
    });
    const CommandRun run = run_command({"replay-evidence", file});
    EXPECT_EQ(run.code, 1);
    EXPECT_THAT(run.out, ContainsRegex("port.rate +mlx5_3 +degraded +gone"));
    EXPECT_THAT(run.out, ContainsRegex("port.rate +mlx5_3 +degraded, certain +new"));
    EXPECT_THAT(run.out, HasSubstr("the rules have changed"));
}

TEST_F(ReplayEvidence, EditedReadingsShow) {
    const std::string file = keep_drain();
    edit(file, [](Evidence& evidence) {
        for (PortReading& port : evidence.report.readings.ports) {
            port.rate = "400 Gb/sec (4X NDR)";
        }
    });
    const CommandRun run = run_command({"replay-evidence", file, "--json"});
    EXPECT_EQ(run.code, 1);
    const auto document = JsonDocument::parse(run.out);
    ASSERT_TRUE(document);
    EXPECT_EQ(*document->root().at("kept_verdict")->string(), "degraded");
    EXPECT_EQ(*document->root().at("verdict")->string(), "healthy");
    EXPECT_EQ(document->root().at("gone")->elements()->size(), 1U);
}

TEST_F(ReplayEvidence, WhatIsNoBundleIsUnknown) {
    EXPECT_EQ(run_command({"replay-evidence", folder_ / "none.json"}).code, 3);
    EXPECT_EQ(run_command({"replay-evidence", folder_ / "etc/fabric.json"}).code, 3);
}

}  // namespace
}  // namespace yardmaster::cli
