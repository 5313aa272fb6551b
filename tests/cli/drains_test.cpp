#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "healthcheck/evidence.hpp"
#include "healthcheck/reason.hpp"
#include "tests/cli/command.hpp"

namespace yardmaster::cli {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr const char* kEvidenceId = "yard03-4711-1700000000";

SlurmNode drained(const std::string& name, const std::string& reason) {
    SlurmNode node;
    node.name = name;
    node.state = "IDLE+DRAIN";
    node.drained = true;
    node.usable = false;
    node.reason = reason;
    node.reason_time = 1700000000;
    node.reason_uid = 0;
    return node;
}

std::string our_reason(bool simulated = false) {
    return format_reason(
        {"mlx5_3 100/400Gb", 4711, kEvidenceId, simulated, "port runs at 100 of 400 Gb/s"});
}

FakeSlurm cluster_of(std::vector<SlurmNode> nodes) {
    FakeSlurm slurm;
    slurm.cluster = std::move(nodes);
    return slurm;
}

/// A folder that goes with the test.
class EvidenceFolder {
  public:
    EvidenceFolder() : path_(testing::TempDir() + "ym_drains_evidence") {
        std::filesystem::remove_all(path_);
    }
    ~EvidenceFolder() { std::filesystem::remove_all(path_); }
    const std::string& path() const { return path_; }

  private:
    std::string path_;
};

TEST(Drains, NoneOfOursIsHealthy) {
    SlurmNode idle;
    idle.name = "yard01";
    idle.reason = our_reason();  // left over from a drain that was lifted
    const CommandRun run =
        run_command({"drains"}, cluster_of({idle, drained("yard02", "disk swap")}));
    EXPECT_EQ(run.code, 0);
    EXPECT_EQ(run.out, "No node is drained by Yardmaster; 1 other node drained by others.\n");
}

TEST(Drains, OursAreListedWithCauseJobAndEvidence) {
    const CommandRun run = run_command(
        {"drains"},
        cluster_of({drained("yard03", our_reason()), drained("yard04", "ymir is my node")}));
    EXPECT_EQ(run.code, 1);
    EXPECT_THAT(run.out, HasSubstr("NODE    STATE       SINCE"));
    EXPECT_THAT(run.out, HasSubstr("root  4711  mlx5_3 100/400Gb\n"));
    EXPECT_THAT(run.out, HasSubstr("yard03: port runs at 100 of 400 Gb/s\n"));
    EXPECT_THAT(run.out, HasSubstr("evidence yard03-4711-1700000000 (on the node)\n"));
    EXPECT_THAT(run.out, HasSubstr("1 node drained by Yardmaster; 1 other node drained by others"));
    EXPECT_THAT(run.out, Not(HasSubstr("SIMULATED")));
}

TEST(Drains, SimulatedHardwareIsMarked) {
    const CommandRun run =
        run_command({"drains"}, cluster_of({drained("yard03", our_reason(true))}));
    EXPECT_THAT(run.out, HasSubstr("SIMULATED hardware"));
}

TEST(Drains, EditedReasonIsShownAsItStands) {
    const CommandRun run =
        run_command({"drains"}, cluster_of({drained("yard03", "ym mlx5_3, cable ordered")}));
    EXPECT_EQ(run.code, 1);
    EXPECT_THAT(run.out, HasSubstr("yard03: reason edited since: ym mlx5_3, cable ordered\n"));
}

TEST(Drains, ReadableEvidenceGivesVerdictAndPath) {
    const EvidenceFolder folder;
    Evidence evidence;
    evidence.id = kEvidenceId;
    evidence.report.scope.node = "yard03";
    evidence.report.findings = {{"port",
                                 "mlx5_3",
                                 "port.rate",
                                 Verdict::kDegraded,
                                 true,
                                 "100/400Gb",
                                 "the whole sentence, uncut"}};
    ASSERT_TRUE(write_evidence(evidence, folder.path()));
    const CommandRun run = run_command({"drains", "--evidence-dir", folder.path()},
                                       cluster_of({drained("yard03", our_reason())}));
    EXPECT_THAT(run.out, HasSubstr("yard03: mlx5_3: the whole sentence, uncut\n"));
    EXPECT_THAT(
        run.out,
        HasSubstr("evidence " + folder.path() + "/yard03-4711-1700000000.json (degraded)\n"));
}

TEST(Drains, JsonHoldsEveryField) {
    const CommandRun run = run_command(
        {"drains", "--json"},
        cluster_of({drained("yard03", our_reason(true)), drained("yard04", "ym edited")}));
    EXPECT_EQ(run.code, 1);
    const auto document = JsonDocument::parse(run.out);
    ASSERT_TRUE(document) << run.out;
    const auto drains = document->root().at("drains")->elements();
    ASSERT_EQ(drains->size(), 2U);
    const JsonNode& first = drains->front();
    EXPECT_EQ(*first.at("node")->string(), "yard03");
    EXPECT_EQ(*first.at("since")->integer(0, INT64_MAX), 1700000000);
    EXPECT_EQ(*first.at("job")->integer(0, 10000), 4711);
    EXPECT_EQ(*first.at("cause")->string(), "mlx5_3 100/400Gb");
    EXPECT_TRUE(*first.at("simulated")->boolean());
    EXPECT_TRUE(json_is_null(drains->back().at("job")->raw()));
    EXPECT_EQ(*document->root().at("drained_by_others")->integer(0, 10), 0);
}

TEST(Drains, SilentControllerIsUnknown) {
    FakeSlurm slurm;
    slurm.reachable = false;
    EXPECT_EQ(run_command({"drains"}, slurm).code, 3);
}

}  // namespace
}  // namespace yardmaster::cli
