#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "tests/cli/command.hpp"

namespace yardmaster::cli {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::StartsWith;

CommandRun replay(std::vector<std::string> options, const std::string& trace = "stream.csv") {
    options.insert(options.begin(),
                   {"replay", data_file(trace), "--fabric", data_file("interleaved.json")});
    return run_command(options);
}

std::string scratch_file(const std::string& name) {
    return testing::TempDir() + name + "." + std::to_string(getpid());
}

TEST(ReplayCommand, PoliciesStandSideBySide) {
    const CommandRun run = replay({});
    EXPECT_EQ(run.code, 0) << run.err;
    EXPECT_THAT(run.out, StartsWith("3 jobs on 8 nodes\n\n"));
    EXPECT_THAT(run.out, ContainsRegex("first-fit +tree +block +yardmaster\n"));
    // By name the racks alternate, so first fit splits every group; nobody else does.
    EXPECT_THAT(run.out, ContainsRegex("split TP groups +3 of 3 +0 of 3 +0 of 3 +0 of 3\n"));
}

TEST(ReplayCommand, SomePoliciesCanBeChosen) {
    const CommandRun run = replay({"--policies", "tree,yardmaster"});
    EXPECT_EQ(run.code, 0) << run.err;
    EXPECT_THAT(run.out, ContainsRegex("\n +tree +yardmaster\n"));
    EXPECT_EQ(replay({"--policies", "best"}).code, 2);
}

TEST(ReplayCommand, JsonHoldsMetricsAndStarts) {
    const CommandRun run = replay({"--json"});
    ASSERT_EQ(run.code, 0) << run.err;
    const auto document = JsonDocument::parse(run.out);
    ASSERT_TRUE(document) << run.out;
    const auto policies = document->root().at("policies")->elements();
    ASSERT_EQ(policies->size(), 4U);
    const JsonNode& ours = policies->back();
    EXPECT_EQ(*ours.at("policy")->string(), "yardmaster");
    EXPECT_EQ(*ours.at("metrics")->at("split_tp_groups")->integer(0, 100), 0);
    EXPECT_EQ(ours.at("starts")->elements()->size(), 3U);
}

TEST(ReplayCommand, PictureIsWrittenAsAWhole) {
    const std::string file = scratch_file("replay.svg");
    const CommandRun run = replay({"--svg", file});
    EXPECT_EQ(run.code, 0) << run.err;
    std::ifstream stream(file);
    const std::string text((std::istreambuf_iterator<char>(stream)), {});
    EXPECT_THAT(text, StartsWith("<?xml"));
    EXPECT_THAT(text, testing::EndsWith("</svg>\n"));
    std::filesystem::remove(file);
}

TEST(ReplayCommand, PictureThatCannotBeWrittenIsAnError) {
    const CommandRun run = replay({"--svg", "/nowhere/replay.svg"});
    EXPECT_EQ(run.code, 3);
    EXPECT_THAT(run.err, HasSubstr("/nowhere/replay.svg: cannot be written"));
}

TEST(ReplayCommand, RefusedJobsAreListed) {
    const std::string file = scratch_file("refused.csv");
    std::ofstream(file) << "id,submit,nodes,gpus,hints,runtime\n7,0,8,4,tp32,10\n8,0,1,4,,10\n";
    const CommandRun run = run_command({"replay", file, "--fabric", data_file("interleaved.json")});
    EXPECT_EQ(run.code, 1);
    EXPECT_THAT(run.out,
                HasSubstr("\n1 job left out, because slurmctld would refuse it at submit:"
                          "\n  7 (line 2): tp32: "));
    std::filesystem::remove(file);
}

TEST(ReplayCommand, BadTraceIsToldWithItsLine) {
    const std::string file = scratch_file("bad.csv");
    std::ofstream(file) << "submit,nodes,gpus,runtime\n0,1,4,10\n0,one,4,10\n";
    const CommandRun run = run_command({"replay", file, "--fabric", data_file("interleaved.json")});
    EXPECT_EQ(run.code, 3);
    EXPECT_THAT(run.err, HasSubstr(file + ": line 3: nodes is \"one\""));
    EXPECT_EQ(run.out, "");
    std::filesystem::remove(file);
}

TEST(ReplayCommand, MissingFilesAreToldApart) {
    EXPECT_EQ(replay({}, "no.csv").code, 3);
    EXPECT_EQ(run_command({"replay", data_file("stream.csv"), "--fabric", "/no.json"}).code, 3);
}

}  // namespace
}  // namespace yardmaster::cli
