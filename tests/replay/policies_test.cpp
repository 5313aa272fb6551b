// Each rule on fabrics small enough to do it by hand.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "replay/policy.hpp"
#include "tests/topology/fabric_maker.hpp"

namespace yardmaster {
namespace {

using testing::ElementsAre;
using testing_support::FabricMaker;

PlacementRequest request_for(const Fabric& fabric,
                             std::uint32_t nodes,
                             const std::vector<std::uint32_t>& busy,
                             const char* hints = "",
                             std::uint32_t gpus = 4) {
    PlacementRequest request;
    request.nodes = nodes;
    request.gpus_per_node = gpus;
    request.hints = *parse_hints(hints);
    request.offers.assign(fabric.nodes().size(), NodeOffer{true, false, false, 0});
    for (std::uint32_t node : busy) {
        request.offers[node].usable = false;
    }
    return request;
}

/// Numbers of the chosen nodes, ascending; empty: it waits.
std::vector<std::uint32_t> chosen(const PlacementPolicy& policy, const PlacementRequest& request) {
    const auto nodes = policy.choose(request);
    std::vector<std::uint32_t> numbers;
    if (!nodes) {
        EXPECT_EQ(nodes.status().code(), ErrorCode::kUnavailable) << nodes.status().message();
        return numbers;
    }
    for (NodeIndex node : *nodes) {
        numbers.push_back(static_cast<std::uint32_t>(node));
    }
    std::sort(numbers.begin(), numbers.end());
    return numbers;
}

/// Two pods of two leaf groups of four nodes: 0-3, 4-7 | 8-11, 12-15.
Fabric two_pods() {
    FabricMaker maker(4);
    const UnitIndex core = maker.unit();
    for (int pod = 0; pod < 2; ++pod) {
        const UnitIndex unit = maker.unit(core, 2);
        maker.leaf(unit, 4);
        maker.leaf(unit, 4);
    }
    return maker.make();
}

/// Racks, each one NVLink domain and one leaf group below one core.
Fabric racks(const std::vector<std::uint32_t>& sizes) {
    FabricMaker maker(4);
    const UnitIndex core = maker.unit();
    for (std::uint32_t size : sizes) {
        maker.domain(maker.leaf(core, size));
    }
    return maker.make();
}

TEST(FirstFitPolicy, TakesTheLowestByName) {
    const Fabric fabric = two_pods();
    const auto policy = make_first_fit_policy(fabric);
    EXPECT_THAT(chosen(*policy, request_for(fabric, 3, {0, 2})), ElementsAre(1, 3, 4));
    EXPECT_THAT(chosen(*policy, request_for(fabric, 15, {0, 2})), ElementsAre());
}

TEST(FirstFitPolicy, NumbersInNamesCountByValue) {
    // n9 stands before n10 though it does not by its characters.
    const Fabric fabric = two_pods();
    const auto policy = make_first_fit_policy(fabric);
    EXPECT_THAT(chosen(*policy, request_for(fabric, 10, {})),
                ElementsAre(0, 1, 2, 3, 4, 5, 6, 7, 8, 9));
}

TEST(TreePolicy, FullestLeafThatHoldsTheJobIsTaken) {
    const Fabric fabric = two_pods();
    const auto policy = make_tree_policy(fabric);
    // Free: 4, 2, 3, 4. Two nodes fit into the second leaf exactly.
    EXPECT_THAT(chosen(*policy, request_for(fabric, 2, {4, 5, 8})), ElementsAre(6, 7));
    EXPECT_THAT(chosen(*policy, request_for(fabric, 3, {4, 5, 8})), ElementsAre(9, 10, 11));
}

TEST(TreePolicy, FullestPodThatHoldsTheJobIsTakenEmptiestLeafFirst) {
    const Fabric fabric = two_pods();
    const auto policy = make_tree_policy(fabric);
    // Free: 4 + 4 and 2 + 4: six fit the second pod exactly.
    EXPECT_THAT(chosen(*policy, request_for(fabric, 6, {8, 9})),
                ElementsAre(10, 11, 12, 13, 14, 15));
    // Five: the leaf with four is filled, one is left over beside it: no balance.
    EXPECT_THAT(chosen(*policy, request_for(fabric, 5, {8, 9})), ElementsAre(10, 12, 13, 14, 15));
}

TEST(TreePolicy, JobLargerThanAPodCrossesThem) {
    const Fabric fabric = two_pods();
    const auto policy = make_tree_policy(fabric);
    EXPECT_EQ(chosen(*policy, request_for(fabric, 12, {})).size(), 12U);
    EXPECT_THAT(chosen(*policy, request_for(fabric, 17, {})), ElementsAre());
}

TEST(TreePolicy, SeparateFabricsAreNeverJoined) {
    FabricMaker maker(4);
    maker.leaf(std::nullopt, 3);
    maker.leaf(std::nullopt, 2);
    maker.nodes(2);  // below no switch
    const Fabric fabric = maker.make();
    const auto policy = make_tree_policy(fabric);
    EXPECT_THAT(chosen(*policy, request_for(fabric, 3, {})), ElementsAre(0, 1, 2));
    EXPECT_THAT(chosen(*policy, request_for(fabric, 4, {})), ElementsAre());
    EXPECT_THAT(chosen(*policy, request_for(fabric, 2, {3})), ElementsAre(5, 6));
}

TEST(BlockPolicy, JobStaysInOneBlockAndPrefersTheFullest) {
    const Fabric fabric = racks({4, 4, 4});
    const auto policy = make_block_policy(fabric);
    EXPECT_THAT(chosen(*policy, request_for(fabric, 2, {0, 4, 5})), ElementsAre(6, 7));
    // Of equal ones the last.
    EXPECT_THAT(chosen(*policy, request_for(fabric, 4, {})), ElementsAre(8, 9, 10, 11));
}

TEST(BlockPolicy, JobThatFitsABlockWaitsRatherThanBeingCut) {
    const Fabric fabric = racks({4, 4, 4});
    const auto policy = make_block_policy(fabric);
    EXPECT_THAT(chosen(*policy, request_for(fabric, 4, {0, 4, 8})), ElementsAre());
}

TEST(BlockPolicy, LargerJobTakesAsManyBlocksAsItsSizeNeeds) {
    const Fabric fabric = racks({4, 5, 4});  // the base block has four nodes
    const auto policy = make_block_policy(fabric);
    // Emptiest first: 4-8, then what is left from the last of the others that hold it.
    EXPECT_THAT(chosen(*policy, request_for(fabric, 7, {})), ElementsAre(4, 5, 6, 7, 8, 9, 10));
    EXPECT_THAT(chosen(*policy, request_for(fabric, 7, {0, 1, 4, 5, 9, 10})), ElementsAre());
    EXPECT_EQ(chosen(*policy, request_for(fabric, 13, {})).size(), 13U);
}

TEST(BlockPolicy, SegmentsOfTpGroupsMayLieInDifferentBlocks) {
    const Fabric fabric = racks({4, 4, 4});
    const auto policy = make_block_policy(fabric);
    // tp8 on nodes of four GPUs: segments of two. Free: 3, 3, 3.
    const auto request = request_for(fabric, 4, {0, 4, 8}, "tp8");
    EXPECT_THAT(chosen(*policy, request), ElementsAre(5, 6, 9, 10));
    EXPECT_THAT(chosen(*policy, request_for(fabric, 4, {0, 1, 2, 4, 5, 6, 8}, "tp8")),
                ElementsAre());
}

TEST(BlockPolicy, NodesWithoutSharedDomainsAreBlocksByLeafGroup) {
    const Fabric fabric = two_pods();
    const auto policy = make_block_policy(fabric);
    EXPECT_THAT(chosen(*policy, request_for(fabric, 3, {12})), ElementsAre(13, 14, 15));
}

TEST(YardmasterPolicy, KeepsTpGroupsWholeAndBalances) {
    const Fabric fabric = racks({4, 4});
    const Placer placer(fabric);
    const auto policy = make_yardmaster_policy(fabric, placer);
    // Three free in each: two groups of two nodes, one in each rack.
    EXPECT_THAT(chosen(*policy, request_for(fabric, 4, {0, 4}, "tp8")), ElementsAre(1, 2, 5, 6));
    EXPECT_THAT(chosen(*policy, request_for(fabric, 4, {0, 1, 2, 4}, "tp8")), ElementsAre());
}

TEST(YardmasterPolicy, RanksKeepTpGroupsWholeWhereTheTableWouldNot) {
    FabricMaker maker(4);
    const auto names = maker.leaf(std::nullopt, 4);
    maker.domain({names[0], names[2]});
    maker.domain({names[1], names[3]});
    const Fabric fabric = maker.make();
    const Placer placer(fabric);
    const auto request = request_for(fabric, 4, {}, "tp8");
    const std::vector<NodeIndex> all{NodeIndex{0}, NodeIndex{1}, NodeIndex{2}, NodeIndex{3}};
    const auto ranked = make_yardmaster_policy(fabric, placer)->rank(all, request);
    EXPECT_EQ(describe(fabric, ranked, 4, request.hints).split_tp_groups, 0U);
    EXPECT_EQ(make_first_fit_policy(fabric)->rank(all, request), all);
}

}  // namespace
}  // namespace yardmaster
