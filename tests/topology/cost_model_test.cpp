#include "topology/cost_model.hpp"

#include <gtest/gtest.h>

#include "tests/topology/fabric_maker.hpp"
#include "topology/headroom.hpp"
#include "topology/placer.hpp"
#include "topology/rank_plan.hpp"

namespace yardmaster {
namespace {

using testing_support::FabricMaker;

constexpr double kNic = 50e9;  // 400 Gb/s
constexpr double kNvlink = 450e9;

std::vector<NodeIndex> nodes(std::initializer_list<std::uint32_t> indices) {
    std::vector<NodeIndex> result;
    for (std::uint32_t i : indices) {
        result.push_back(NodeIndex{i});
    }
    return result;
}

/// Two leaf groups of four servers, 3:1, the second node's GPU 1 on the third rail.
Fabric two_leaves(std::optional<Rail> rail_of_gpu_1) {
    FabricMaker maker(8, true);
    const UnitIndex core = maker.unit();
    const auto names = maker.leaf(core, 4, 3);
    maker.leaf(core, 4, 3);
    if (rail_of_gpu_1) {
        maker.exception(names[1], 1, rail_of_gpu_1->gbps > 0 ? rail_of_gpu_1 : std::nullopt);
    }
    return maker.make();
}

double gradient(const Fabric& fabric,
                std::initializer_list<std::uint32_t> order,
                const char* hints = "tp8") {
    const Parallelism sizes =
        *derive_parallelism(*parse_hints(hints), {static_cast<std::uint32_t>(order.size()), 8});
    return predict(fabric, nodes(order), 8, sizes, {})[GroupKind::kGradient].slowest_seconds;
}

double ring(double n) {
    return 405e9 / 128 * 4 * 2 * (n - 1) / n;
}

TEST(CostModel, RingRunsAtItsSlowestEdge) {
    const Fabric fabric = two_leaves(std::nullopt);
    EXPECT_NEAR(gradient(fabric, {0, 1, 2, 3}), ring(4) / kNic, 1e-9);
    EXPECT_NEAR(gradient(fabric, {0, 1, 2, 4}), ring(4) / kNic * (1 + 2.125), 1e-9);
    EXPECT_NEAR(gradient(fabric, {0}), 0, 1e-9) << "one TP group has no ring";
}

TEST(CostModel, RanksOnOneNodeShareItsRails) {
    const Fabric fabric = two_leaves(std::nullopt);
    EXPECT_NEAR(gradient(fabric, {0, 1}, "tp1"), ring(16) / 8 / kNic, 1e-9);
    EXPECT_NEAR(gradient(fabric, {0}, "tp1"), ring(8) / kNvlink, 1e-9);
}

TEST(CostModel, ExceptionsOfOneNodeSlowItsRings) {
    EXPECT_NEAR(gradient(two_leaves(Rail{"mlx5_1", 100}), {0, 1}), ring(2) / kNic * 4, 1e-9);
    EXPECT_NEAR(gradient(two_leaves(Rail{"", 0}), {0, 1}), ring(2) / kNic * 2 * (1 + 2.125), 1e-9)
        << "no NIC: shares another GPU's, on another rail";
    const Fabric miscabled = two_leaves(Rail{"mlx5_2", 400});
    EXPECT_NEAR(gradient(miscabled, {0, 1}), ring(2) / kNic * (1 + 2.125), 1e-9)
        << "the same index, another rail: over the tier above";
    EXPECT_NEAR(gradient(miscabled, {0, 2}), ring(2) / kNic, 1e-9);
}

TEST(CostModel, PipelinesAndExpertsPayForTheirWays) {
    const Fabric fabric = two_leaves(std::nullopt);
    const Parallelism sizes = *derive_parallelism(*parse_hints("tp8&pp2&ep2"), {4, 8});
    const CommTime time = predict(fabric, nodes({0, 1, 4, 5}), 8, sizes, {});
    const double activations = 16 * 8192.0 * 16384 * 2 / 8;
    EXPECT_NEAR(time[GroupKind::kPp].slowest_seconds, 2 * activations / kNic * 3.125, 1e-9);
    EXPECT_NEAR(
        time[GroupKind::kEp].slowest_seconds, 4 * (126.0 / 16) * 2 * activations / 2 / kNic, 1e-9);
    EXPECT_NEAR(time[GroupKind::kTp].slowest_seconds,
                4 * (126.0 / 16) * activations * 8 * 2 * 7 / 8 / kNvlink,
                1e-9);
}

TEST(CostModel, SpreadCountsUnitsOfAGroup) {
    const Fabric fabric = two_leaves(std::nullopt);
    const Parallelism sizes = *derive_parallelism(*parse_hints("tp8&pp2"), {4, 8});
    const auto dp = spread_of(fabric, nodes({0, 1, 2, 4}), 8, sizes, GroupKind::kDp);
    EXPECT_EQ(dp[0].most, 2u);
    EXPECT_DOUBLE_EQ(dp[0].mean, 1.5);
    EXPECT_EQ(dp[1].most, 1u);
}

/// Leaf groups A, B, C with 3, 4 and 1 nodes of the job and stages of four.
TEST(RankPlan, StagesAreKeptInLeafGroups) {
    FabricMaker maker(8, true);
    const UnitIndex core = maker.unit();
    maker.leaf(core, 3);
    maker.leaf(core, 4);
    maker.leaf(core, 1);
    const Fabric fabric = maker.make();
    const auto given = nodes({0, 1, 2, 3, 4, 5, 6, 7});
    const auto plan = plan_ranks(fabric, given, 8, *parse_hints("tp8&pp2"));
    ASSERT_TRUE(plan);
    EXPECT_FALSE(plan->given_is_as_good);
    EXPECT_EQ(plan->order, nodes({3, 4, 5, 6, 0, 1, 2, 7}));
    EXPECT_LT(plan->time.cost(), plan->given_time.cost());
    EXPECT_TRUE(plan_ranks(fabric, plan->order, 8, *parse_hints("tp8&pp2"))->given_is_as_good);
}

TEST(RankPlan, TpGroupsAreMadeWholeWhereTheSetAllowsIt) {
    FabricMaker maker(4, true);
    const UnitIndex core = maker.unit();
    for (int i = 0; i < 2; ++i) {
        maker.domain(maker.leaf(core, 4));
    }
    const Fabric fabric = maker.make();
    const auto plan = plan_ranks(fabric, nodes({0, 4, 1, 5}), 4, *parse_hints("tp8"));
    ASSERT_TRUE(plan);
    EXPECT_EQ(plan->order, nodes({0, 1, 4, 5}));
}

TEST(RankPlan, APlacersTablesGiveTheSamePlan) {
    const Fabric fabric = two_leaves(std::nullopt);
    CostWeights weights;
    weights.tier_crossing = 2;
    const Placer placer(fabric, weights);
    const Hints hints = *parse_hints("tp8&pp2");
    for (const auto& given : {nodes({0, 4, 1, 5}), nodes({0, 1, 4, 5})}) {
        const auto own = plan_ranks(fabric, given, 8, hints, weights);
        const auto shared = plan_ranks(placer.tables(), given, 8, hints);
        ASSERT_TRUE(own && shared);
        EXPECT_EQ(shared->order, own->order);
        EXPECT_EQ(shared->given_is_as_good, own->given_is_as_good);
        EXPECT_DOUBLE_EQ(shared->time.seconds(), own->time.seconds());
        EXPECT_DOUBLE_EQ(shared->given_time.seconds(), own->given_time.seconds());
    }
}

TEST(Headroom, LargestJobsAndWholeUnits) {
    FabricMaker maker(4);
    const UnitIndex core = maker.unit();
    for (int i = 0; i < 2; ++i) {
        maker.domain(maker.leaf(core, 5));
    }
    maker.domain(maker.leaf(std::nullopt, 4));
    const Fabric fabric = maker.make();
    std::vector<NodeOffer> offers(14);
    for (NodeOffer& offer : offers) {
        offer.usable = true;
    }
    EXPECT_EQ(largest_placeable(fabric, offers, 4, 1), 10u) << "not across separate fabrics";
    EXPECT_EQ(largest_placeable(fabric, offers, 4, 8), 8u);
    EXPECT_EQ(largest_placeable(fabric, offers, 4, 16), 8u);
    EXPECT_EQ(largest_placeable(fabric, offers, 4, 32), 0u);
    offers[0].usable = false;
    offers[6].part_used = true;
    EXPECT_EQ(free_domains(fabric, offers).whole, 1u);
    EXPECT_EQ(free_domains(fabric, offers).all, 3u);
    EXPECT_EQ(free_leaf_groups(fabric, offers).whole, 1u);
    EXPECT_EQ(largest_placeable(fabric, offers, 4, 8), 8u);
    EXPECT_EQ(largest_placeable(fabric, offers, 8, 8), 0u) << "no node has 8 GPUs";
}

}  // namespace
}  // namespace yardmaster
