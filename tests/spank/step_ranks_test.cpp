#include "plugin/spank/step_ranks.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

namespace yardmaster {
namespace {

using testing::HasSubstr;

constexpr const char* kSheet =
    "order=domain gpus=4 hints=tp8&pp2 rails=m0,m1,m2,m3 nodes=n[1,3,2,4]";

std::string given_sheet;
std::string given_node;

const char* get(const char* name) {
    const std::string_view asked = name;
    return asked == "SLURM_JOB_NODELIST"       ? "n[1-4]"
           : asked == "SLURM_JOB_GPUS"         ? "0-3"
           : asked == "SLURMD_NODENAME"        ? given_node.c_str()
           : asked == "SPANK_YARDMASTER_RANKS" ? given_sheet.c_str()
                                               : nullptr;
}

/// The note that the prolog leaves on `node` for a job with this sheet.
JobNote note_with(const std::string& sheet, const std::string& node) {
    given_sheet = sheet;
    given_node = node;
    const auto note = note_from_environment(&get);
    EXPECT_TRUE(note) << note.status().message();
    return note ? *note : JobNote{};
}

ProcessFacts task(const std::string& node, std::uint32_t local, const std::string& per_node) {
    ProcessFacts facts;
    facts.node = node;
    facts.nodes = "n[1-4]";
    facts.nnodes = 4;
    facts.tasks_per_node = per_node;
    facts.local = local;
    return facts;
}

std::map<std::string, std::string> told(const JobNote& note, const ProcessFacts& facts) {
    const auto ranks = ranks_of(note, facts);
    EXPECT_TRUE(ranks) << ranks.status().message();
    std::map<std::string, std::string> map;
    for (const RankVariable& variable : ranks ? ranks->variables : std::vector<RankVariable>{}) {
        map[variable.name.substr(sizeof "YARDMASTER_" - 1)] = variable.value;
    }
    return map;
}

TEST(StepRanks, OneTaskForEachGpu) {
    std::set<std::string> ranks;
    for (const char* node : {"n1", "n2", "n3", "n4"}) {
        for (std::uint32_t local = 0; local < 4; ++local) {
            const auto mine = told(note_with(kSheet, node), task(node, local, "4(x4)"));
            ranks.insert(mine.at("RANK"));
            EXPECT_EQ(mine.at("MASTER_ADDR"), "n1");
            EXPECT_EQ(mine.at("RAIL"), std::to_string(local));
            EXPECT_EQ(mine.at("RAIL_NIC"), "m" + std::to_string(local));
        }
    }
    EXPECT_EQ(ranks.size(), 16U);
    const auto third = told(note_with(kSheet, "n2"), task("n2", 1, "4(x4)"));
    EXPECT_EQ(third.at("NODE_RANK"), "2");
    EXPECT_EQ(third.at("RANK"), "9");
    EXPECT_EQ(third.at("TP_GROUP"), "1");
    EXPECT_EQ(third.at("TP_RANK"), "1");
    EXPECT_EQ(third.at("PP_RANK"), "1");
}

TEST(StepRanks, OneTaskANodeIsToldTheNodes) {
    const auto mine = told(note_with(kSheet, "n3"), task("n3", 0, "1(x4)"));
    EXPECT_EQ(mine.at("NODE_RANK"), "1");
    EXPECT_EQ(mine.at("TP_RANK"), "4,5,6,7");
    EXPECT_EQ(mine.at("TP_GROUP"), "0");
    EXPECT_EQ(mine.at("RAIL"), "0,1,2,3");
    EXPECT_EQ(mine.count("RANK"), 0U);
}

TEST(StepRanks, TheBatchScriptIsToldTheJobs) {
    ProcessFacts facts;
    facts.whole_job = true;
    facts.node = "n1";
    facts.nnodes = 1;
    const auto mine = told(note_with(kSheet, facts.node), facts);
    EXPECT_EQ(mine.at("NNODES"), "4");
    EXPECT_EQ(mine.at("NODE_RANK"), "0");
    EXPECT_EQ(mine.at("PP_SIZE"), "2");
    EXPECT_EQ(mine.at("TP_RANK"), "0,1,2,3");
}

TEST(StepRanks, OtherNumbersOfTasksLeaveGroupsOutAndSaySo) {
    for (const char* per_node : {"2(x4)", "4(x3),3", "", "x"}) {
        const auto ranks = ranks_of(note_with(kSheet, "n1"), task("n1", 0, per_node));
        ASSERT_TRUE(ranks) << per_node;
        EXPECT_THAT(ranks->remark, HasSubstr("group numbers are left out")) << per_node;
        const auto mine = told(note_with(kSheet, "n1"), task("n1", 0, per_node));
        EXPECT_EQ(mine.at("NODE_RANK"), "0");
        EXPECT_EQ(mine.at("TP_SIZE"), "8");
        EXPECT_EQ(mine.count("TP_RANK") + mine.count("RANK"), 0U);
    }
}

TEST(StepRanks, AStepOnSomeNodesIsToldItsOwn) {
    ProcessFacts facts = task("n2", 0, "4(x2)");
    facts.nodes = "n[2-3]";
    facts.nnodes = 2;
    const JobNote note = note_with("order=domain gpus=4 hints=tp4 nodes=n[1,3,2,4]", "n2");
    const auto mine = told(note, facts);
    EXPECT_EQ(mine.at("NNODES"), "2");
    EXPECT_EQ(mine.at("NODE_RANK"), "1");
    EXPECT_EQ(mine.at("MASTER_ADDR"), "n3");
    EXPECT_EQ(mine.at("RANK"), "4");
    EXPECT_EQ(mine.at("DP_SIZE"), "2");
}

TEST(StepRanks, HintsThatDoNotFitTheStepAreARemark) {
    ProcessFacts facts = task("n3", 0, "4");
    facts.nodes = "n3";
    facts.nnodes = 1;
    const auto ranks = ranks_of(note_with(kSheet, facts.node), facts);
    ASSERT_TRUE(ranks);
    EXPECT_THAT(ranks->remark, HasSubstr("tp8&pp2"));
    EXPECT_EQ(told(note_with(kSheet, facts.node), facts).at("RANK"), "0");
}

TEST(StepRanks, OtherComponentsOfAHetJobAreLeftAside) {
    ProcessFacts facts = task("n3", 0, "4(x4)");
    facts.nodes = "n[1-4],m[1-2]";
    EXPECT_EQ(told(note_with(kSheet, facts.node), facts).at("NNODES"), "4");
}

TEST(StepRanks, WithoutASheetTheOrderIsSlurms) {
    const auto mine = told(note_with("", "n3"), task("n3", 0, "4(x4)"));
    const std::map<std::string, std::string> wanted = {
        {"RANK_ORDER", "slurm"}, {"NNODES", "4"}, {"NODE_RANK", "2"}, {"MASTER_ADDR", "n1"}};
    EXPECT_EQ(mine, wanted);
}

TEST(StepRanks, UnevenGpusAreARemark) {
    const JobNote note = note_with("order=slurm gpus=0 uneven=yes hints=pp2 nodes=n[1-4]", "n3");
    const auto ranks = ranks_of(note, task("n3", 0, "4(x4)"));
    ASSERT_TRUE(ranks);
    EXPECT_THAT(ranks->remark, HasSubstr("different numbers of GPUs"));
    EXPECT_EQ(told(note, task("n3", 0, "4(x4)")).at("NODE_RANK"), "2");
    EXPECT_EQ(told(note, task("n3", 0, "4(x4)")).count("RANK"), 0U);
}

TEST(StepRanks, GpusThatDifferFromTheSheetHaveNoRails) {
    JobNote note = note_with(kSheet, "n3");
    note.gpus = {0, 1};
    EXPECT_EQ(told(note, task("n3", 0, "4(x4)")).count("RAIL"), 0U);
}

TEST(StepRanks, WithoutASheetAStepMayBeSortedOtherwise) {
    ProcessFacts facts = task("n3", 0, "4(x4)");
    facts.nodes = "n[4,3,2,1]";
    facts.node_id = 1;
    const auto mine = told(note_with("", "n3"), facts);
    EXPECT_EQ(mine.at("NODE_RANK"), "1");
    EXPECT_EQ(mine.at("MASTER_ADDR"), "n4");
}

TEST(StepRanks, ContradictionsAreErrors) {
    ProcessFacts facts = task("n1", 0, "4(x4)");
    facts.nnodes = 3;
    EXPECT_THAT(ranks_of(note_with(kSheet, "n1"), facts).status().message(), HasSubstr("counts 3"));
    facts.nodes = "n[2-4]";
    EXPECT_THAT(ranks_of(note_with(kSheet, "n1"), facts).status().message(),
                HasSubstr("this node, n1"));
    JobNote note = note_with(kSheet, "n1");
    note.sheet = "order=best";
    EXPECT_FALSE(ranks_of(note, task("n1", 0, "4(x4)")));
}

}  // namespace
}  // namespace yardmaster
