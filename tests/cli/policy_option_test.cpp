// --policy of the commands that go by the cost model's weights.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/cli/command.hpp"
#include "tests/healthcheck/scratch_folder.hpp"
#include "topology/receipt.hpp"

namespace yardmaster::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class PolicyOption : public ::testing::Test {
  protected:
    PolicyOption() {
        SlurmJob job;
        job.id = 4711;
        job.phase = SlurmJob::Phase::kRunning;
        job.state = "RUNNING";
        job.nodes = {"yard05", "yard06"};
        job.num_nodes = 2;
        job.gpus_per_node = 8;
        receipt_.nodes = 2;
        receipt_.gpus_per_node = 8;
        job.admin_comment = format_receipt(receipt_);
        slurm_.records = {job};
    }
    std::string policy(const std::string& text) const {
        const std::string file = folder_ / "yardmaster.json";
        yardmaster::testing::write_file(file, text);
        return file;
    }
    /// Every command with `file`, in text or JSON.
    std::vector<CommandRun> all(const std::string& file, bool json) const {
        std::vector<std::vector<std::string>> lines{
            {"plan", data_file("two_pods.json"), "-N", "2", "-g", "8"},
            {"plan", data_file("two_pods.json"), "-N", "2", "-g", "8", "--what-if"},
            {"explain", "4711", "--fabric", data_file("two_pods.json")},
            {"ranks", "--nodes", "yard[01-02]", "-g", "8", "--fabric", data_file("two_pods.json")},
            {"replay", data_file("stream.csv"), "--fabric", data_file("interleaved.json")}};
        std::vector<CommandRun> runs;
        for (auto& line : lines) {
            line.insert(line.end(), {"--policy", file});
            if (json) {
                line.push_back("--json");
            }
            runs.push_back(run_command(line, slurm_));
        }
        return runs;
    }

    Receipt receipt_;
    FakeSlurm slurm_;
    yardmaster::testing::ScratchFolder folder_;
};

TEST_F(PolicyOption, WeightsThatAreNotTheDefaultsAreShown) {
    const std::string file =
        policy(R"({"health": {"what": "ever"}, "placement": {"hidden": 8192}})");
    for (const CommandRun& run : all(file, false)) {
        EXPECT_LE(run.code, 1) << run.err;
        EXPECT_THAT(run.out, HasSubstr("hidden 8192 (default 16384)"));
    }
    for (const CommandRun& run : all(file, true)) {
        const auto json = JsonDocument::parse(run.out);
        ASSERT_TRUE(json) << run.out << run.err;
        EXPECT_EQ(*json->root().at("weights")->at("hidden")->number(0, 1e6), 8192);
    }
}

TEST_F(PolicyOption, DefaultsAreNotWorthALine) {
    for (const CommandRun& run : all(policy("{}"), false)) {
        EXPECT_LE(run.code, 1) << run.err;
        EXPECT_THAT(run.out, Not(HasSubstr("Weights:")));
    }
}

TEST_F(PolicyOption, WhatCannotBeReadIsNeverPassedOver) {
    for (const CommandRun& run : all(policy(R"({"placement": {"hiden": 1}})"), false)) {
        EXPECT_EQ(run.code, 3);
        EXPECT_THAT(run.err, HasSubstr("$.placement.hiden: unknown key"));
    }
    for (const CommandRun& run : all("/nowhere/yardmaster.json", false)) {
        EXPECT_EQ(run.code, 3);
        EXPECT_THAT(run.err, HasSubstr("/nowhere/yardmaster.json: no such file"));
    }
}

TEST_F(PolicyOption, ExplainTellsWeightsOfThePlacementFromThoseOfTheJudgement) {
    const std::string file = policy(R"({"placement": {"hidden": 8192}})");
    const auto explain = [&](const std::string& weights) {
        receipt_.weights = weights;
        slurm_.records[0].admin_comment = format_receipt(receipt_);
        return all(file, false)[2].out;
    };
    EXPECT_THAT(explain(""), HasSubstr("Weights: placed by the defaults, judged by hidden 8192"));
    EXPECT_THAT(explain("e7c27389"), HasSubstr("\nWeights: hidden 8192 (default 16384)\n"));
    EXPECT_THAT(
        explain("00000001"),
        HasSubstr("Weights: placed by 00000001 (slurmctld's log names them), judged by hidden"));
}

}  // namespace
}  // namespace yardmaster::cli
