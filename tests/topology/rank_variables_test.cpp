#include "topology/rank_variables.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

namespace yardmaster {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

RankSheet sheet_of(std::vector<std::string> nodes, const std::string& hints) {
    RankSheet sheet;
    sheet.order = RankOrder::kDomain;
    sheet.nodes = std::move(nodes);
    sheet.gpus_per_node = 4;
    sheet.hints = *parse_hints(hints);
    sheet.rails = {"m0", "m1", "m2", ""};
    return sheet;
}

std::map<std::string, std::string> as_map(const std::vector<RankVariable>& variables) {
    std::map<std::string, std::string> map;
    for (const RankVariable& variable : variables) {
        EXPECT_TRUE(map.emplace(variable.name, variable.value).second) << variable.name;
        EXPECT_THAT(rank_variable_names(), Contains(variable.name));
    }
    return map;
}

TEST(RankLayout, AStepOnSomeNodesKeepsTheirOrder) {
    const auto sheet = sheet_of({"c", "a", "d", "b"}, "tp4");
    const RankLayout layout = layout_of(sheet, {"a", "b", "c"});
    EXPECT_THAT(layout.nodes, ElementsAre("c", "a", "b"));
    EXPECT_EQ(layout.order, RankOrder::kDomain);
    EXPECT_EQ(layout.sizes->dp, 3U);
    EXPECT_EQ(layout.node_rank("b"), 2U);
    EXPECT_EQ(layout.node_rank("d"), std::nullopt);
}

TEST(RankLayout, AnUnknownNodeMakesTheOrderSlurms) {
    const RankLayout layout = layout_of(sheet_of({"c", "a"}, "tp4"), {"a", "c", "x"});
    EXPECT_THAT(layout.nodes, ElementsAre("a", "c", "x"));
    EXPECT_EQ(layout.order, RankOrder::kSlurm);
}

TEST(RankLayout, SizesThatDoNotFitTheStepAreLeftOutWithAReason) {
    const RankLayout layout = layout_of(sheet_of({"c", "a", "b"}, "tp4&pp3"), {"a", "b"});
    EXPECT_FALSE(layout.sizes);
    EXPECT_THAT(layout.no_sizes, HasSubstr("tp4&pp3"));
    const auto told = as_map(node_variables(layout, 0));
    EXPECT_EQ(told.count("YARDMASTER_TP_SIZE"), 0U);
    EXPECT_THAT(group_variables(layout, 0), IsEmpty());
}

TEST(RankLayout, WithoutHintsThereAreNoGroups) {
    const RankLayout layout = layout_of(sheet_of({"c", "a"}, ""), {"a", "c"});
    EXPECT_FALSE(layout.sizes);
    EXPECT_EQ(layout.no_sizes, "");
}

TEST(RankVariables, OfANode) {
    const RankLayout layout = layout_of(sheet_of({"c", "a"}, "tp4&pp2"), {"a", "c"});
    const std::map<std::string, std::string> wanted = {{"YARDMASTER_RANK_ORDER", "domain"},
                                                       {"YARDMASTER_NNODES", "2"},
                                                       {"YARDMASTER_NODE_RANK", "1"},
                                                       {"YARDMASTER_MASTER_ADDR", "c"},
                                                       {"YARDMASTER_NPROC_PER_NODE", "4"},
                                                       {"YARDMASTER_TP_SIZE", "4"},
                                                       {"YARDMASTER_CP_SIZE", "1"},
                                                       {"YARDMASTER_EP_SIZE", "1"},
                                                       {"YARDMASTER_DP_SIZE", "1"},
                                                       {"YARDMASTER_PP_SIZE", "2"}};
    EXPECT_EQ(as_map(node_variables(layout, 1)), wanted);
}

TEST(RankVariables, GroupsOfANodeAreOneValueOrAList) {
    const RankLayout layout = layout_of(sheet_of({"c", "a"}, "tp2&pp2"), {"a", "c"});
    const auto told = as_map(group_variables(layout, 1));
    EXPECT_EQ(told.at("YARDMASTER_TP_RANK"), "0,1,0,1");
    EXPECT_EQ(told.at("YARDMASTER_TP_GROUP"), "2,2,3,3");
    EXPECT_EQ(told.at("YARDMASTER_DP_RANK"), "0,0,1,1");
    EXPECT_EQ(told.at("YARDMASTER_DP_GROUP"), "2,3,2,3");
    EXPECT_EQ(told.at("YARDMASTER_PP_RANK"), "1");
    EXPECT_EQ(told.at("YARDMASTER_PP_GROUP"), "0,1,2,3");
}

TEST(RankVariables, TasksAgreeWithTheirNodesLists) {
    const RankLayout layout =
        layout_of(sheet_of({"c", "a", "b", "d"}, "tp2&cp2&pp2"), {"a", "b", "c", "d"});
    std::set<std::string> ranks;
    for (std::uint32_t node = 0; node < 4; ++node) {
        const auto lists = as_map(group_variables(layout, node));
        for (std::uint32_t local = 0; local < 4; ++local) {
            auto task = as_map(task_variables(layout, node, local));
            EXPECT_TRUE(ranks.insert(task.at("YARDMASTER_RANK")).second);
            for (const auto& [name, list] : lists) {
                std::vector<std::string> values;
                std::stringstream stream(list);
                for (std::string value; std::getline(stream, value, ',');) {
                    values.push_back(value);
                }
                EXPECT_EQ(task.at(name), values.size() == 1 ? values[0] : values[local]) << name;
            }
        }
    }
    EXPECT_EQ(ranks.size(), 16U);
    EXPECT_TRUE(ranks.contains("0") && ranks.contains("15"));
}

TEST(RankVariables, MembersOfAGroupHaveItsNumberAndAllPlaces) {
    const RankLayout layout =
        layout_of(sheet_of({"c", "a", "b", "d"}, "tp4&ep2&pp2"), {"a", "b", "c", "d"});
    for (const std::string kind : {"TP", "CP", "EP", "DP", "PP"}) {
        std::map<std::string, std::set<std::string>> places;
        for (std::uint32_t node = 0; node < 4; ++node) {
            for (std::uint32_t local = 0; local < 4; ++local) {
                const auto task = as_map(task_variables(layout, node, local));
                const auto place = task.at("YARDMASTER_" + kind + "_RANK");
                EXPECT_TRUE(places[task.at("YARDMASTER_" + kind + "_GROUP")].insert(place).second);
            }
        }
        const auto size = as_map(node_variables(layout, 0)).at("YARDMASTER_" + kind + "_SIZE");
        for (const auto& [group, members] : places) {
            EXPECT_EQ(std::to_string(members.size()), size) << kind << " group " << group;
        }
    }
}

TEST(RankVariables, RailsByLocalRank) {
    const auto sheet = sheet_of({"a"}, "tp4");
    const std::vector<std::uint32_t> gpus = {1, 3};
    auto told = as_map(rail_variables(sheet, "a", gpus));
    EXPECT_EQ(told.at("YARDMASTER_RAIL"), "1,3");
    EXPECT_EQ(told.at("YARDMASTER_RAIL_NIC"), "m1,-");
    told = as_map(rail_variables(sheet, "a", {&gpus[1], 1}));
    EXPECT_EQ(told.count("YARDMASTER_RAIL_NIC"), 0U);
    EXPECT_THAT(rail_variables(sheet, "a", {}), IsEmpty());
}

}  // namespace
}  // namespace yardmaster
