#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/topology/fabric_maker.hpp"
#include "topology/placer.hpp"

namespace yardmaster {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<NodeIndex> nodes(std::initializer_list<std::uint32_t> indices) {
    std::vector<NodeIndex> result;
    for (std::uint32_t i : indices) {
        result.push_back(NodeIndex{i});
    }
    return result;
}

TEST(Describe, CountsUnitsAndRingEdgesPerTier) {
    const Fabric fabric = *Fabric::load(std::string(YM_TEST_DATA) + "/hgx.json");
    const PlacementFacts facts = describe(fabric, nodes({0, 1, 4, 8}), 8, *parse_hints("tp8"));
    EXPECT_EQ(facts.tp_groups, 4u);
    EXPECT_EQ(facts.split_tp_groups, 0u);
    EXPECT_EQ(facts.nvlink_domains, 4u);
    EXPECT_THAT(facts.units_touched, ElementsAre(3, 2, 1));
    EXPECT_EQ(facts.ring_edges, 4u);
    EXPECT_THAT(facts.ring_edges_leaving, ElementsAre(3, 2, 0));
}

TEST(Describe, OrderDecidesWhichGroupsAreSplit) {
    const Fabric fabric = *Fabric::load(std::string(YM_TEST_DATA) + "/nvl72.json");
    const Hints hints = *parse_hints("tp8");
    EXPECT_EQ(describe(fabric, nodes({0, 1, 16, 17}), 4, hints).split_tp_groups, 0u);
    EXPECT_EQ(describe(fabric, nodes({0, 16, 1, 17}), 4, hints).split_tp_groups, 2u);
    EXPECT_EQ(describe(fabric, nodes({0, 16, 17, 18}), 4, hints).split_tp_groups, 1u);
    EXPECT_EQ(describe(fabric, nodes({0, 1, 16, 17}), 4, hints).ring_edges, 2u);
}

TEST(Describe, GroupsSmallerThanANodeAreNeverSplit) {
    const Fabric fabric = *Fabric::load(std::string(YM_TEST_DATA) + "/hgx.json");
    const PlacementFacts facts = describe(fabric, nodes({0, 8}), 8, *parse_hints("tp2"));
    EXPECT_EQ(facts.tp_groups, 8u);
    EXPECT_EQ(facts.split_tp_groups, 0u);
}

TEST(Describe, JobsWithoutHintsOrGpusHaveNoGroups) {
    const Fabric fabric = *Fabric::load(std::string(YM_TEST_DATA) + "/hgx.json");
    const PlacementFacts facts = describe(fabric, nodes({3}), 0, {});
    EXPECT_EQ(facts.tp_groups, 0u);
    EXPECT_EQ(facts.ring_edges, 0u);
    EXPECT_THAT(facts.ring_edges_leaving, ElementsAre(0, 0, 0));
}

TEST(Describe, NodesUnderNoSwitchAreUnitsOfTheirOwn) {
    testing_support::FabricMaker maker;
    maker.nodes(2);
    const UnitIndex core = maker.unit();
    maker.leaf(core, 2);
    maker.leaf(maker.unit(core), 1);
    const Fabric fabric = maker.make();
    const PlacementFacts facts = describe(fabric, nodes({0, 1, 2, 4}), 8, {});
    EXPECT_THAT(facts.units_touched, ElementsAre(4, 4, 3))
        << "a leaf right below the core is its pod";
    EXPECT_THAT(facts.ring_edges_leaving, ElementsAre(4, 4, 3));
}

TEST(Describe, ASetAloneHasNoGroupsAndTheSameUnits) {
    const Fabric fabric = *Fabric::load(std::string(YM_TEST_DATA) + "/hgx.json");
    const auto set = nodes({0, 1, 4, 8});
    const PlacementFacts all = describe(fabric, set, 8, *parse_hints("tp8"));
    const PlacementFacts facts = describe_set(fabric, set, 8, *parse_hints("tp8"));
    EXPECT_EQ(facts.tp_groups, all.tp_groups);
    EXPECT_EQ(facts.units_touched, all.units_touched);
    EXPECT_EQ(facts.ring_edges_leaving, all.ring_edges_leaving);
    EXPECT_EQ(facts[GroupKind::kTp].groups, 0u);
    EXPECT_GT(all[GroupKind::kTp].groups, 0u);
    EXPECT_EQ(facts.predicted_seconds, 0);
}

TEST(Describe, NodesBelowTwoRootsLieInSeparateFabrics) {
    testing_support::FabricMaker maker;
    maker.leaf(maker.unit(), 2);
    maker.leaf(maker.unit(), 2);
    const Fabric fabric = maker.make();
    EXPECT_FALSE(describe_set(fabric, nodes({0, 1}), 8, {}).separate_fabrics());
    EXPECT_TRUE(describe_set(fabric, nodes({0, 2}), 8, {}).separate_fabrics());
}

TEST(Describe, FabricWithoutSwitchesHasNoTiers) {
    testing_support::FabricMaker maker;
    maker.nodes(2);
    EXPECT_THAT(describe(maker.make(), nodes({0, 1}), 8, {}).units_touched, IsEmpty());
}

}  // namespace
}  // namespace yardmaster
