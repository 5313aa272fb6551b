#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/cli/command.hpp"

namespace yardmaster::cli {
namespace {

using testing::HasSubstr;
using testing::Not;

SlurmNode gpu_node(const std::string& name, std::uint32_t gpus = 8) {
    SlurmNode node;
    node.name = name;
    node.gpus = gpus;
    return node;
}

/// The nodes of two_pods.json as slurmctld would list them.
FakeSlurm matching_cluster() {
    FakeSlurm slurm;
    for (int i = 1; i <= 16; ++i) {
        slurm.cluster.push_back(gpu_node((i < 10 ? "yard0" : "yard") + std::to_string(i)));
    }
    return slurm;
}

CommandRun check(const std::string& file) {
    return run_command({"fabric", "check", data_file(file)});
}

CommandRun check_live(const FakeSlurm& slurm) {
    return run_command({"fabric", "check", "--live", data_file("two_pods.json")}, slurm);
}

TEST(FabricCheck, GoodFileIsSummedUp) {
    const CommandRun run = check("two_pods.json");
    EXPECT_EQ(run.code, 0) << run.out << run.err;
    EXPECT_THAT(run.out, HasSubstr("h100  16     8          450 GB/s  8 rails of 400 Gb/s\n"));
    EXPECT_THAT(run.out, HasSubstr("NVLink domains: 16, the largest with 8 GPUs\n"));
    EXPECT_THAT(run.out, HasSubstr("leaf group  4      4 nodes       1:1\n"));
    EXPECT_THAT(run.out, HasSubstr("pod         2      2 units       2:1\n"));
    EXPECT_THAT(run.out, HasSubstr("The file is right.\n"));
}

TEST(FabricCheck, OrderThatCutsDomainsIsAWarning) {
    const CommandRun run = check("interleaved.json");
    EXPECT_EQ(run.code, 1);
    EXPECT_THAT(run.out,
                HasSubstr("warning: Slurm's order by name cuts 2 of 2 NVLink domains into pieces "
                          "(rackA into 4)"));
    EXPECT_THAT(run.out, HasSubstr("cuts 2 of 2 leaf groups into pieces (leafA into 4)"));
    EXPECT_THAT(run.out, Not(HasSubstr("The file is right")));
}

TEST(FabricCheck, WarningsOfTheFabricItselfAreShown) {
    EXPECT_THAT(check("interleaved.json").out,
                HasSubstr("warning: node type \"gb200\" has GPUs but no rails"));
}

TEST(FabricCheck, BrokenFileNamesPlaceValueAndRemedy) {
    const CommandRun run = check("broken.json");
    EXPECT_EQ(run.code, 1);
    EXPECT_EQ(run.out, "");
    EXPECT_EQ(run.err,
              "yardmaster: " + data_file("broken.json") +
                  ": $.node_types.h100.gpus: is \"eight\", must be an integer from 0 to 64\n");
}

TEST(FabricCheck, AbsentFileIsUnknown) {
    const CommandRun run = check("absent.json");
    EXPECT_EQ(run.code, 3);
    EXPECT_THAT(run.err, HasSubstr("absent.json"));
}

TEST(FabricCheck, JsonOfABrokenFileSaysWhy) {
    const CommandRun run = run_command({"fabric", "check", "--json", data_file("broken.json")});
    EXPECT_EQ(run.code, 1);
    const auto document = JsonDocument::parse(run.out);
    ASSERT_TRUE(document) << run.out;
    EXPECT_EQ(*document->root().at("valid")->boolean(), false);
    EXPECT_THAT(*document->root().at("error")->string(), HasSubstr("$.node_types.h100.gpus"));
}

TEST(FabricCheck, JsonHoldsSummaryAndFindings) {
    const CommandRun run =
        run_command({"fabric", "check", "--json", data_file("interleaved.json")});
    EXPECT_EQ(run.code, 1);
    const auto document = JsonDocument::parse(run.out);
    ASSERT_TRUE(document) << run.out;
    const JsonNode summary = *document->root().at("summary");
    EXPECT_EQ(*summary.at("largest_domain_gpus")->integer(0, 1000), 16);
    EXPECT_EQ(summary.at("tiers")->elements()->size(), 2U);
    const auto findings = document->root().at("findings")->elements();
    ASSERT_GE(findings->size(), 2U);
    EXPECT_EQ(*findings->front().at("level")->string(), "warning");
}

TEST(FabricCheckLive, MatchingClusterIsRight) {
    const CommandRun run = check_live(matching_cluster());
    EXPECT_EQ(run.code, 0) << run.out;
    EXPECT_THAT(run.out, HasSubstr("Slurm's nodes agree with it"));
}

TEST(FabricCheckLive, NodesOfOneSideOnlyAreNamed) {
    FakeSlurm slurm = matching_cluster();
    slurm.cluster.erase(slurm.cluster.begin() + 4, slurm.cluster.begin() + 6);
    slurm.cluster.push_back(gpu_node("zoo1"));
    const CommandRun run = check_live(slurm);
    EXPECT_EQ(run.code, 1);
    EXPECT_THAT(run.out, HasSubstr("in the fabric file but unknown to Slurm: yard[05-06];"));
    EXPECT_THAT(run.out, HasSubstr("GPU nodes that the fabric file lacks: zoo1;"));
}

TEST(FabricCheckLive, CpuNodesMayBeLeftOut) {
    FakeSlurm slurm = matching_cluster();
    slurm.cluster.push_back(gpu_node("login1", 0));
    const CommandRun run = check_live(slurm);
    EXPECT_EQ(run.code, 0) << run.out;
    EXPECT_THAT(run.out,
                HasSubstr("note: nodes without GPUs that the fabric file leaves out: "
                          "login1"));
}

TEST(FabricCheckLive, GpuCountsAreCompared) {
    FakeSlurm slurm = matching_cluster();
    slurm.cluster[0].gpus = 4;
    slurm.cluster[1].gpus = 4;
    const CommandRun run = check_live(slurm);
    EXPECT_EQ(run.code, 1);
    EXPECT_THAT(run.out, HasSubstr("yard[01-02]: type h100 has 8 GPUs, but Slurm's Gres says 4;"));
}

TEST(FabricCheckLive, TheOrderIsSlurmsOwn) {
    FakeSlurm slurm = matching_cluster();
    std::swap(slurm.cluster[0], slurm.cluster[15]);
    const CommandRun run = check_live(slurm);
    EXPECT_EQ(run.code, 1);
    EXPECT_THAT(run.out,
                HasSubstr("the order of slurmctld's nodes cuts 2 of 4 leaf groups into pieces"));
}

TEST(FabricCheckLive, SilentControllerIsUnknown) {
    FakeSlurm slurm;
    slurm.reachable = false;
    const CommandRun run = check_live(slurm);
    EXPECT_EQ(run.code, 3);
    EXPECT_EQ(run.err, "yardmaster: slurmctld does not answer\n");
}

}  // namespace
}  // namespace yardmaster::cli
