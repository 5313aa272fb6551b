#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/cli/command.hpp"

namespace yardmaster::cli {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

CommandRun plan(const std::string& file, std::vector<std::string> options) {
    options.insert(options.begin(), {"plan", data_file(file)});
    return run_command(options);
}

TEST(Plan, JobThatFitsALeafGroupStaysInIt) {
    const CommandRun run = plan("two_pods.json", {"-N", "4", "-g", "8", "--hints", "tp8&pp2"});
    EXPECT_EQ(run.code, 0) << run.err;
    EXPECT_THAT(run.out, StartsWith("4 nodes x 8 GPUs, hints tp8&pp2\nPlaced on yard[01-04]\n\n"));
    EXPECT_THAT(run.out, HasSubstr("|  |- leaf1  ####  4 of 4 nodes\n"));
    EXPECT_THAT(run.out, HasSubstr("core / pod1 / leaf1  one each       4      yard[01-04]\n"));
}

TEST(Plan, FirstFitByNameStandsBesideIt) {
    const CommandRun run =
        plan("two_pods.json", {"-N", "4", "-g", "8", "--busy", "yard[01-02]", "--candidates", "1"});
    EXPECT_EQ(run.code, 0) << run.err;
    EXPECT_THAT(run.out, HasSubstr("Placed on yard[05-08]\n"));
    EXPECT_THAT(run.out, HasSubstr("candidate 1  first fit by name\n"));
    EXPECT_THAT(run.out,
                testing::ContainsRegex("ring edges leaving a leaf group +0 of 4 +2 of 4\n"));
    EXPECT_THAT(run.out, HasSubstr("First fit by name: yard[03-06]\n"));
    EXPECT_THAT(run.out, HasSubstr("leaf1  oo..\n"));
}

TEST(Plan, TpGroupOfSeveralNodesStaysInOneDomain) {
    const CommandRun run = plan("interleaved.json", {"-N", "4", "-g", "4", "--hints", "tp16"});
    EXPECT_EQ(run.code, 0) << run.err;
    EXPECT_THAT(run.out, HasSubstr("hints tp16, a TP group takes 4 nodes\n"));
    EXPECT_THAT(run.out, HasSubstr("Placed on n[1,3,5,7]\n"));
    EXPECT_THAT(run.out, HasSubstr("spine / leafA  rackA          4      n[1,3,5,7]\n"));
    EXPECT_THAT(run.out, testing::ContainsRegex("split between domains +0 .*1\n"));
}

TEST(Plan, AlternativesSayWhatPutsThemBehind) {
    const CommandRun run =
        plan("two_pods.json", {"-N", "4", "-g", "8", "--busy", "yard[01-03]", "--candidates", "3"});
    EXPECT_EQ(run.code, 0) << run.err;
    EXPECT_THAT(run.out, HasSubstr("Candidate 2: yard["));
    EXPECT_THAT(run.out, HasSubstr("\n  behind by "));
}

TEST(Plan, NodelistIsObeyed) {
    const CommandRun run =
        plan("two_pods.json", {"-N", "2", "-g", "8", "--nodelist", "yard11", "--json"});
    ASSERT_EQ(run.code, 0) << run.err;
    const auto document = JsonDocument::parse(run.out);
    ASSERT_TRUE(document) << run.out;
    const auto candidates = document->root().at("candidates")->elements();
    ASSERT_FALSE(candidates->empty());
    for (const JsonNode& candidate : *candidates) {
        std::vector<std::string> names;
        const auto nodes = candidate.at("nodes")->elements();
        for (const JsonNode& name : *nodes) {
            names.push_back(*name.string());
        }
        EXPECT_THAT(names, testing::Contains("yard11"));
        EXPECT_EQ(names.size(), 2U);
    }
}

TEST(Plan, JsonHoldsFactsAndScores) {
    const CommandRun run = plan("two_pods.json", {"-N", "4", "-g", "8", "--json"});
    ASSERT_EQ(run.code, 0) << run.err;
    const auto document = JsonDocument::parse(run.out);
    ASSERT_TRUE(document) << run.out;
    const JsonNode best = document->root().at("candidates")->elements()->front();
    EXPECT_EQ(*best.at("hostlist")->string(), "yard[01-04]");
    EXPECT_EQ(*best.at("facts")->at("ring_edges")->integer(0, 100), 4);
    EXPECT_EQ(*best.at("score")->at("leaf_groups")->number(0, 100), 1);
    EXPECT_EQ(*document->root().at("first_fit")->at("hostlist")->string(), "yard[01-04]");
}

TEST(Plan, PartUsedNodesAreNoWholeNodes) {
    const CommandRun run =
        plan("two_pods.json", {"-N", "12", "-g", "8", "--part-used", "yard[01-04]"});
    EXPECT_EQ(run.code, 0) << run.err;
    EXPECT_THAT(run.out, HasSubstr("Placed on yard[05-16]\n"));
    EXPECT_THAT(run.out, HasSubstr("leaf1  ++++\n"));
    EXPECT_EQ(plan("two_pods.json", {"-N", "16", "-g", "4", "--part-used", "yard[01-04]"}).code, 0);
}

TEST(Plan, WhatCanNeverFitIsRefusedWithTheReason) {
    const CommandRun run = plan("two_pods.json", {"-N", "2", "-g", "8", "--hints", "tp16"});
    EXPECT_EQ(run.code, 1);
    EXPECT_THAT(run.out, StartsWith("Can never be placed on this fabric: "));
    EXPECT_THAT(run.out, HasSubstr("tp16"));
    EXPECT_EQ(run.err, "");
}

TEST(Plan, WhatDoesNotFitNowIsToldApart) {
    const CommandRun run = plan(
        "two_pods.json", {"-N", "4", "-g", "8", "--hints", "leaf", "--busy", "yard[01,05,09,13]"});
    EXPECT_EQ(run.code, 1);
    EXPECT_THAT(run.out, StartsWith("Cannot be placed now: "));
}

TEST(Plan, JsonOfARefusalSaysWhetherItIsForEver) {
    const CommandRun run =
        plan("two_pods.json", {"-N", "2", "-g", "8", "--hints", "tp16", "--json"});
    EXPECT_EQ(run.code, 1);
    const auto document = JsonDocument::parse(run.out);
    ASSERT_TRUE(document) << run.out;
    EXPECT_FALSE(*document->root().at("placed")->boolean());
    EXPECT_FALSE(*document->root().at("ever_possible")->boolean());
}

class BadPlan : public testing::TestWithParam<std::vector<std::string>> {};

TEST_P(BadPlan, IsAUsageErrorThatNamesTheOption) {
    std::vector<std::string> options{"-N", "4", "-g", "8"};
    options.insert(options.end(), GetParam().begin(), GetParam().end());
    const CommandRun run = plan("two_pods.json", options);
    EXPECT_EQ(run.code, 2);
    EXPECT_EQ(run.out, "");
    EXPECT_THAT(run.err, StartsWith("yardmaster: " + GetParam().front() + ": "));
}

INSTANTIATE_TEST_SUITE_P(Options,
                         BadPlan,
                         testing::Values(std::vector<std::string>{"--hints", "tp=8"},
                                         std::vector<std::string>{"--busy", "zoo1"},
                                         std::vector<std::string>{"--busy", "yard[01"},
                                         std::vector<std::string>{"--part-used", "zoo1"},
                                         std::vector<std::string>{"--nodelist", "zoo1"},
                                         std::vector<std::string>{
                                             "--nodelist", "yard01", "--busy", "yard01"}));

TEST(Plan, SizesThatDoNotDivideAreAUsageError) {
    EXPECT_EQ(plan("two_pods.json", {"-N", "1", "-g", "8", "--hints", "tp3"}).code, 2);
}

TEST(Plan, UnreadableFabricIsUnknown) {
    EXPECT_EQ(plan("absent.json", {"-N", "1", "-g", "8"}).code, 3);
    EXPECT_EQ(plan("broken.json", {"-N", "1", "-g", "8"}).code, 3);
}

TEST(Plan, SameQuestionSameAnswer) {
    const std::vector<std::string> options{"-N", "5", "-g", "8", "--busy", "yard[02,07]"};
    EXPECT_EQ(plan("two_pods.json", options).out, plan("two_pods.json", options).out);
}

TEST(Plan, SeparateFabricsHaveNoLinkInsteadOfATime) {
    const CommandRun run =
        run_command({"plan", data_file("separate.json"), "-N", "6", "-g", "8", "--hints", "pp2"});
    EXPECT_EQ(run.code, 0) << run.err;
    EXPECT_THAT(run.out, testing::ContainsRegex("\nall communication, s a step +no link +no link"));
    EXPECT_THAT(run.out, testing::ContainsRegex("\ngradient all-reduce, s a step +no link"));
    EXPECT_THAT(run.out,
                testing::ContainsRegex("\ncommunication that placement moves, s +no link"));
    EXPECT_THAT(run.out, testing::Not(testing::ContainsRegex("[0-9]{4,}\\.[0-9]")));
}

TEST(Plan, FabricWithoutSwitchesHasNoLinkEither) {
    const CommandRun run =
        run_command({"plan", data_file("no_switches.json"), "-N", "2", "-g", "8"});
    EXPECT_EQ(run.code, 0) << run.err;
    EXPECT_THAT(run.out, testing::ContainsRegex("\nall communication, s a step +no link"));
    const CommandRun one =
        run_command({"plan", data_file("no_switches.json"), "-N", "1", "-g", "8"});
    EXPECT_THAT(one.out, testing::ContainsRegex("\nall communication, s a step +[0-9.]+ "));
}

}  // namespace
}  // namespace yardmaster::cli
