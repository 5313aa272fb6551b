#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/cli/command.hpp"
#include "topology/fabric.hpp"

namespace yardmaster::cli {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

/// The nodes of a file, all idle.
FakeSlurm idle_cluster(const std::string& file) {
    FakeSlurm slurm;
    const auto fabric = Fabric::load(data_file(file));
    for (const FabricNode& node : fabric->nodes()) {
        SlurmNode record;
        record.name = node.name;
        record.state = "IDLE";
        record.gpus = fabric->types()[node.type].gpus;
        slurm.cluster.push_back(record);
    }
    return slurm;
}

void give_to_jobs(SlurmNode& node, std::uint32_t gpus) {
    node.gpus_used = gpus;
    node.busy = gpus == node.gpus;
    node.part_used = gpus < node.gpus;
}

void drain(SlurmNode& node) {
    node.usable = false;
    node.drained = true;
}

CommandRun status(const FakeSlurm& slurm,
                  const std::string& file,
                  std::vector<std::string> options = {}) {
    options.insert(options.begin(), {"fabric", "status", "--fabric", data_file(file)});
    return run_command(options, slurm);
}

TEST(FabricStatus, EmptyClusterIsWhole) {
    const CommandRun run = status(idle_cluster("two_pods.json"), "two_pods.json");
    EXPECT_EQ(run.code, 0) << run.err;
    EXPECT_THAT(run.out,
                StartsWith("16 nodes: 16 free, 0 part-used, 0 busy, 0 drained, 0 down\n\n"));
    EXPECT_THAT(run.out, ContainsRegex("leaf groups +4 +4 +0 +0\n"));
    EXPECT_THAT(run.out, ContainsRegex("pods +2 +2 +0 +0\n"));
    EXPECT_THAT(run.out, ContainsRegex("no hints +8 +16 +128\n"));
    EXPECT_THAT(run.out, ContainsRegex("tp8 +8 +16 +128\n"));
    EXPECT_THAT(run.out,
                HasSubstr("Fragmentation: 16 free nodes, 0 of them in broken leaf groups; "
                          "the largest tp8 job could have 16.\n"));
}

TEST(FabricStatus, NodesAreCountedByState) {
    FakeSlurm slurm = idle_cluster("two_pods.json");
    give_to_jobs(slurm.cluster[0], 8);
    give_to_jobs(slurm.cluster[1], 2);
    drain(slurm.cluster[4]);
    slurm.cluster[5].usable = false;
    slurm.cluster.pop_back();
    const CommandRun run = status(slurm, "two_pods.json");
    EXPECT_THAT(run.out,
                StartsWith("16 nodes: 11 free, 1 part-used, 1 busy, 1 drained, 1 down, "
                           "1 not in Slurm\n"));
    EXPECT_THAT(run.out, HasSubstr("leaf1  o+..\n"));
    // Only leaf3 is whole: two free ones in leaf1, two in leaf2, three in leaf4.
    EXPECT_THAT(run.out, ContainsRegex("leaf groups +4 +1 +0 +7\n"));
    EXPECT_THAT(run.out, ContainsRegex("no hints +8 +11 +88\n"));
}

TEST(FabricStatus, SoftDegradedNodesAreListed) {
    FakeSlurm slurm = idle_cluster("two_pods.json");
    EXPECT_THAT(status(slurm, "two_pods.json").out, Not(HasSubstr("soft-degraded")));
    slurm.cluster[2].soft = SoftMark{"mlx5_3 flapped", 1796094669, 1796181069};
    EXPECT_THAT(
        status(slurm, "two_pods.json").out,
        ContainsRegex("soft-degraded node +cause +since +until\nyard03 +mlx5_3 flapped +2026"));
    EXPECT_THAT(status(slurm, "two_pods.json", {"--json"}).out,
                HasSubstr("\"cause\": \"mlx5_3 flapped\""));
}

TEST(FabricStatus, TpGroupsOfSeveralNodesNeedRoomInOneDomain) {
    FakeSlurm slurm = idle_cluster("interleaved.json");
    give_to_jobs(slurm.cluster[0], 4);
    give_to_jobs(slurm.cluster[1], 1);
    const CommandRun run = status(slurm, "interleaved.json", {"--json"});
    ASSERT_EQ(run.code, 0) << run.err;
    const auto document = JsonDocument::parse(run.out);
    ASSERT_TRUE(document) << run.out;
    const auto jobs = document->root().at("largest_jobs")->elements();
    std::vector<std::pair<std::string, std::int64_t>> largest;
    for (const JsonNode& job : *jobs) {
        largest.emplace_back(*job.at("hints")->string(), *job.at("nodes")->integer(0, 100));
    }
    // Three free nodes in each rack: one pair in each, no four.
    EXPECT_THAT(largest,
                testing::ElementsAre(testing::Pair("", 6),
                                     testing::Pair("tp4", 6),
                                     testing::Pair("tp8", 4),
                                     testing::Pair("tp16", 0)));
    const auto units = document->root().at("units")->elements();
    EXPECT_EQ(*units->front().at("kind")->string(), "NVLink domain");
    EXPECT_EQ(*units->front().at("wholly_free")->integer(0, 10), 0);
    EXPECT_EQ(*units->front().at("free_nodes_in_broken")->integer(0, 10), 6);
}

TEST(FabricStatus, FullClusterSaysSo) {
    FakeSlurm slurm = idle_cluster("interleaved.json");
    for (SlurmNode& node : slurm.cluster) {
        give_to_jobs(node, 4);
    }
    const CommandRun run = status(slurm, "interleaved.json");
    EXPECT_THAT(run.out, HasSubstr("Fragmentation: no node is wholly free.\n"));
    EXPECT_THAT(run.out, ContainsRegex("tp16 +4 +none +0\n"));
}

TEST(FabricStatus, SilentControllerAndMissingFileAreNoStatus) {
    FakeSlurm slurm;
    slurm.reachable = false;
    EXPECT_EQ(status(slurm, "two_pods.json").code, 3);
    EXPECT_EQ(run_command({"fabric", "status", "--fabric", "/no.json"}).code, 3);
}

}  // namespace
}  // namespace yardmaster::cli
