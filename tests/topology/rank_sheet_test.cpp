#include "topology/rank_sheet.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "tests/topology/fabric_maker.hpp"
#include "topology/placer.hpp"
#include "topology/rank_sheet_of.hpp"

namespace yardmaster {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::UnorderedElementsAreArray;
using testing_support::FabricMaker;

RankSheet full_sheet() {
    RankSheet sheet;
    sheet.order = RankOrder::kDomain;
    sheet.nodes = {"yard03", "yard01", "yard02"};
    sheet.gpus_per_node = 4;
    sheet.hints.tp = 4;
    sheet.hints.pp = 3;
    sheet.rails = {"mlx5_0", "mlx5_1:2", "", "mlx5_3"};
    sheet.differences = {{"yard01", 2, "mlx5_9"}, {"yard02", 3, ""}};
    return sheet;
}

TEST(RankSheet, LineIsAsDocumented) {
    EXPECT_EQ(format_rank_sheet(full_sheet()),
              "order=domain gpus=4 hints=tp4&pp3 rails=mlx5_0,mlx5_1:2,-,mlx5_3 "
              "but=yard01/2/mlx5_9,yard02/3/- nodes=yard[03,01-02]");
}

TEST(RankSheet, IsReadBack) {
    const auto read = parse_rank_sheet(format_rank_sheet(full_sheet()));
    ASSERT_TRUE(read) << read.status().message();
    EXPECT_EQ(*read, full_sheet());
    RankSheet bare;
    bare.nodes = {"n1"};
    EXPECT_EQ(*parse_rank_sheet(format_rank_sheet(bare)), bare);
}

TEST(RankSheet, DamagedLinesNameTheWord) {
    for (const auto& [line, named] : {std::pair{"", "names no nodes"},
                                      {"order=domain gpus=8", "names no nodes"},
                                      {"order=best nodes=n1", "order=best"},
                                      {"gpus=eight nodes=n1", "gpus=eight"},
                                      {"gpus=65 nodes=n1", "gpus=65"},
                                      {"hints=tp0 nodes=n1", "hints=tp0"},
                                      {"but=n1/2 nodes=n1", "but=n1/2"},
                                      {"but=n1/99/x nodes=n1", "but=n1/99/x"},
                                      {"nodes=n[1-", "nodes=n[1-"},
                                      {"nodes=n1,n2,n1", "nodes=n1,n2,n1"},
                                      {"nodes=", "nodes="},
                                      {"color=red nodes=n1", "\"color=red\" is no word"},
                                      {"nodes", "\"nodes\" is no word"}}) {
        const auto read = parse_rank_sheet(line);
        ASSERT_FALSE(read) << line;
        EXPECT_EQ(read.status().code(), ErrorCode::kMalformed) << line;
        EXPECT_THAT(read.status().message(), HasSubstr(named)) << line;
    }
}

TEST(RankSheet, NamesThatWouldBreakTheLineAreLeftOut) {
    RankSheet sheet = full_sheet();
    sheet.rails = {"a b", "c,d", "e/f", "ok"};
    sheet.differences = {{"yard01", 0, "g h"}};
    const auto read = parse_rank_sheet(format_rank_sheet(sheet));
    ASSERT_TRUE(read) << read.status().message();
    EXPECT_THAT(read->rails, ElementsAre("", "", "", "ok"));
    EXPECT_EQ(read->differences[0].nic, "");
}

TEST(RankSheet, DifferencesComeBeforeTheCommonRails) {
    const RankSheet sheet = full_sheet();
    EXPECT_EQ(sheet.nic("yard03", 1), "mlx5_1:2");
    EXPECT_EQ(sheet.nic("yard01", 2), "mlx5_9");
    EXPECT_EQ(sheet.nic("yard02", 3), std::nullopt);
    EXPECT_EQ(sheet.nic("yard02", 2), std::nullopt);
    EXPECT_EQ(sheet.nic("yard02", 4), std::nullopt);
}

NodeType railed_type(const std::string& name, const std::string& nic) {
    NodeType type;
    type.name = name;
    type.gpus = 2;
    type.rails = {{nic + "0", 400}, {nic + "1", 400}};
    return type;
}

TEST(RankSheetOf, RailsAreThoseOfMostNodes) {
    FabricBuilder builder;
    ASSERT_TRUE(builder.add_type(railed_type("old", "ib")));
    ASSERT_TRUE(builder.add_type(railed_type("new", "mlx5_")));
    ASSERT_TRUE(builder.add_nodes({"a1"}, "old"));
    ASSERT_TRUE(builder.add_nodes({"b1", "b2"}, "new"));
    ASSERT_TRUE(builder.add_exception("b2", {GpuIndex{1}, std::nullopt}));
    ASSERT_TRUE(builder.add_nodes({"b3"}, "new"));
    const auto fabric = std::move(builder).build();
    ASSERT_TRUE(fabric);
    const std::vector<NodeIndex> nodes = {NodeIndex{0}, NodeIndex{1}, NodeIndex{2}, NodeIndex{3}};
    const auto sheet = rank_sheet_of(*fabric, nodes, 2, Hints{});
    ASSERT_TRUE(sheet) << sheet.status().message();
    EXPECT_THAT(sheet->rails, ElementsAre("mlx5_0", "mlx5_1"));
    EXPECT_EQ(sheet->nic("a1", 0), "ib0");
    EXPECT_EQ(sheet->nic("a1", 1), "ib1");
    EXPECT_EQ(sheet->nic("b2", 1), std::nullopt);
    EXPECT_EQ(sheet->nic("b3", 1), "mlx5_1");
}

TEST(RankSheetOf, SizesThatDoNotFitAreRefused) {
    FabricMaker maker;
    maker.leaf(maker.unit(), 2);
    const Fabric fabric = maker.make();
    Hints hints;
    hints.tp = 7;
    const auto sheet =
        rank_sheet_of(fabric, std::vector<NodeIndex>{NodeIndex{0}, NodeIndex{1}}, 8, hints);
    EXPECT_EQ(sheet.status().code(), ErrorCode::kInvalidArgument);
}

/// A fabric of random pods, leaf groups and domains of several nodes, with names that say nothing
/// about it.
Fabric random_fabric(std::mt19937& random) {
    FabricMaker maker(4);
    const auto between = [&](int low, int high) {
        return std::uniform_int_distribution<>(low, high)(random);
    };
    const auto root = maker.unit();
    for (int pod = between(1, 3); pod > 0; --pod) {
        const auto unit = maker.unit(root, between(1, 4));
        for (int leaf = between(1, 3); leaf > 0; --leaf) {
            const auto names = maker.leaf(unit, static_cast<std::uint32_t>(between(1, 6)));
            const auto half = names.begin() + static_cast<std::ptrdiff_t>(names.size() / 2);
            if (names.size() > 2 && between(0, 1) == 1) {
                maker.domain({names.begin(), half});
                maker.domain({half, names.end()});
            }
        }
    }
    return maker.make();
}

TEST(RankSheetOf, EveryNodeOfARandomJobAppearsOnce) {
    std::mt19937 random(20261130);
    for (int round = 0; round < 300; ++round) {
        const Fabric fabric = random_fabric(random);
        std::vector<NodeIndex> nodes;
        std::vector<std::string> names;
        for (std::size_t i = 0; i < fabric.nodes().size(); ++i) {
            if (random() % 3 != 0) {
                nodes.push_back(NodeIndex(i));
            }
        }
        std::shuffle(nodes.begin(), nodes.end(), random);
        if (nodes.empty()) {
            continue;
        }
        for (const NodeIndex node : nodes) {
            names.push_back(fabric.node(node).name);
        }
        Hints hints;
        hints.tp = nodes.size() % 2 == 0 ? 8 : 4;
        const auto sheet = rank_sheet_of(fabric, nodes, 4, hints);
        ASSERT_TRUE(sheet) << sheet.status().message();
        EXPECT_THAT(sheet->nodes, UnorderedElementsAreArray(names));
        EXPECT_EQ(*parse_rank_sheet(format_rank_sheet(*sheet)), *sheet);
        EXPECT_EQ(*rank_sheet_of(fabric, nodes, 4, hints), *sheet) << "the same every time";
    }
}

/// Some nodes, of every domain a multiple of `quantum`, in no order.
std::vector<NodeIndex> nodes_for_whole_groups(const Fabric& fabric,
                                              std::size_t quantum,
                                              std::mt19937& random) {
    std::vector<NodeIndex> chosen;
    for (const NvlinkDomain& domain : fabric.domains()) {
        const std::size_t most = domain.nodes.size() / quantum;
        const std::size_t count = quantum * (most == 0 ? 0 : random() % (most + 1));
        chosen.insert(chosen.end(),
                      domain.nodes.begin(),
                      domain.nodes.begin() + static_cast<std::ptrdiff_t>(count));
    }
    std::shuffle(chosen.begin(), chosen.end(), random);
    return chosen;
}

TEST(RankSheetOf, TpGroupsStayInsideDomainsWheneverTheSetAllowsIt) {
    std::mt19937 random(4);
    int tried = 0;
    for (int round = 0; round < 600; ++round) {
        const Fabric fabric = random_fabric(random);
        const std::size_t quantum = 1 + random() % 3;
        const auto nodes = nodes_for_whole_groups(fabric, quantum, random);
        if (nodes.empty()) {
            continue;
        }
        Hints hints;
        hints.tp = static_cast<std::uint32_t>(4 * quantum);
        const auto sheet = rank_sheet_of(fabric, nodes, 4, hints);
        ASSERT_TRUE(sheet) << sheet.status().message();
        std::vector<NodeIndex> order;
        for (const std::string& name : sheet->nodes) {
            order.push_back(*fabric.find(name));
        }
        EXPECT_EQ(describe(fabric, order, 4, hints).split_tp_groups, 0U) << "round " << round;
        tried += quantum > 1 && nodes.size() > quantum ? 1 : 0;
    }
    EXPECT_GT(tried, 50) << "too few cases in which it matters";
}

}  // namespace
}  // namespace yardmaster
