// What a SoftMark costs in placement: it decides among equals, and nothing else.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/topology/fabric_maker.hpp"
#include "topology/placer.hpp"

namespace yardmaster {
namespace {

using testing::ElementsAre;
using testing_support::FabricMaker;

/// Two leaf groups of four servers of 8 GPUs under one core.
Fabric two_leaves() {
    FabricMaker maker;
    const UnitIndex core = maker.unit(std::nullopt, 2);
    maker.leaf(core, 4);
    maker.leaf(core, 4);
    return maker.make();
}

PlacementRequest all_free(const Fabric& fabric,
                          std::uint32_t nodes,
                          const char* hints,
                          const std::vector<std::uint32_t>& marked) {
    PlacementRequest request;
    request.nodes = nodes;
    request.gpus_per_node = fabric.types().front().gpus;
    request.hints = *parse_hints(hints);
    NodeOffer offer;
    offer.usable = true;
    request.offers.assign(fabric.nodes().size(), offer);
    for (const std::uint32_t node : marked) {
        request.offers[node].soft_degraded = true;
    }
    return request;
}

/// The first choice and its score.
std::pair<std::vector<std::uint32_t>, PlacementScore> choose(const Fabric& fabric,
                                                             const PlacementRequest& request) {
    const auto found = Placer(fabric).propose(request, {});
    EXPECT_TRUE(found) << found.status().message();
    std::vector<std::uint32_t> nodes;
    for (const NodeIndex node : found ? found->front().nodes : std::vector<NodeIndex>{}) {
        nodes.push_back(raw(node));
    }
    return {nodes, found ? found->front().score : PlacementScore{}};
}

TEST(SoftDegraded, OtherNodesOfTheLeafGroupComeFirst) {
    const Fabric fabric = two_leaves();
    EXPECT_THAT(choose(fabric, all_free(fabric, 1, "", {0, 1})).first, ElementsAre(2));
    EXPECT_THAT(choose(fabric, all_free(fabric, 3, "tp8", {0, 5})).first, ElementsAre(1, 2, 3));
}

TEST(SoftDegraded, AnotherLeafGroupComesFirst) {
    const Fabric fabric = two_leaves();
    for (const char* hints : {"", "tp8", "tp8&pp2", "leaf"}) {
        EXPECT_THAT(choose(fabric, all_free(fabric, 4, hints, {2})).first, ElementsAre(4, 5, 6, 7))
            << hints;
    }
}

TEST(SoftDegraded, SoundNodesAreWorthABrokenLeafGroup) {
    const Fabric fabric = two_leaves();
    PlacementRequest request = all_free(fabric, 2, "tp8", {2});
    request.offers[0].usable = request.offers[1].usable = false;
    EXPECT_THAT(choose(fabric, request).first, ElementsAre(4, 5));
}

TEST(SoftDegraded, CommunicationCountsMore) {
    const Fabric fabric = two_leaves();
    PlacementRequest request = all_free(fabric, 4, "tp8", {2});
    request.offers[7].usable = false;
    const auto [nodes, score] = choose(fabric, request);
    EXPECT_THAT(nodes, ElementsAre(0, 1, 2, 3)) << "not across the core";
    EXPECT_EQ(score.soft_degraded, 1U);
}

TEST(SoftDegraded, NoJobWaitsForSoundNodes) {
    const Fabric fabric = two_leaves();
    for (const char* hints : {"", "tp8", "leaf"}) {
        const std::uint32_t nodes = std::string(hints) == "leaf" ? 4 : 8;
        const auto [chosen, score] =
            choose(fabric, all_free(fabric, nodes, hints, {0, 1, 2, 3, 4, 5, 6, 7}));
        EXPECT_EQ(score.soft_degraded, nodes) << hints;
    }
}

TEST(SoftDegraded, RequiredNodeIsTaken) {
    const Fabric fabric = two_leaves();
    PlacementRequest request = all_free(fabric, 4, "tp8", {1});
    request.offers[1].required = true;
    EXPECT_THAT(choose(fabric, request).first, ElementsAre(0, 1, 2, 3));
}

TEST(SoftDegraded, TpGroupStaysWhole) {
    FabricMaker maker(4);
    maker.domain(maker.leaf(std::nullopt, 4));
    maker.domain(maker.leaf(std::nullopt, 3));
    const Fabric fabric = maker.make();
    const auto [nodes, score] = choose(fabric, all_free(fabric, 4, "tp16", {0, 3}));
    EXPECT_THAT(nodes, ElementsAre(0, 1, 2, 3));
    EXPECT_EQ(score.split_quanta, 0U);
}

}  // namespace
}  // namespace yardmaster
