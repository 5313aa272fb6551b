#include "topology/placer.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <thread>

#include "tests/topology/fabric_maker.hpp"

namespace yardmaster {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::UnorderedElementsAre;
using testing_support::FabricMaker;

constexpr PlacementLimits kLimits{8, Patience::kPerson};

/// All nodes usable and fresh.
PlacementRequest whole(const Fabric& fabric, std::uint32_t nodes, const char* hints = "") {
    PlacementRequest request;
    request.nodes = nodes;
    request.gpus_per_node = fabric.types().front().gpus;
    request.hints = *parse_hints(hints);
    NodeOffer offer;
    offer.usable = true;
    request.offers.assign(fabric.nodes().size(), offer);
    return request;
}

void busy(PlacementRequest& request, std::initializer_list<std::uint32_t> nodes) {
    for (std::uint32_t node : nodes) {
        request.offers[node].usable = false;
    }
}

std::vector<Candidate> candidates(const Fabric& fabric, const PlacementRequest& request) {
    auto result = Placer(fabric).propose(request, kLimits);
    EXPECT_TRUE(result) << result.status().message();
    return result ? *result : std::vector<Candidate>(1);
}

std::vector<std::uint32_t> first(const Fabric& fabric, const PlacementRequest& request) {
    std::vector<std::uint32_t> nodes;
    const auto found = candidates(fabric, request);
    for (NodeIndex node : found.front().nodes) {
        nodes.push_back(static_cast<std::uint32_t>(raw(node)));
    }
    return nodes;
}

/// Nodes taken from every touched leaf group, in the order of the groups.
std::vector<std::uint32_t> spread(const Fabric& fabric, const PlacementRequest& request) {
    std::map<std::size_t, std::uint32_t> count;
    for (std::uint32_t node : first(fabric, request)) {
        count[raw(*fabric.node(NodeIndex{node}).leaf)] += 1;
    }
    std::vector<std::uint32_t> result;
    for (const auto& [leaf, nodes] : count) {
        result.push_back(nodes);
    }
    return result;
}

/// 2 pods x 2 leaf groups x 4 servers of 8 GPUs; pods are 2:1 oversubscribed.
Fabric hgx() {
    FabricMaker maker;
    const UnitIndex core = maker.unit();
    for (int pod = 0; pod < 2; ++pod) {
        const UnitIndex unit = maker.unit(core, 2);
        maker.leaf(unit, 4);
        maker.leaf(unit, 4);
    }
    return maker.make();
}
/// Racks of 16, 17 and 18 trays of 4 GPUs (nodes 0-15, 16-32, 33-50) and a login node.
Fabric nvl72() {
    return *Fabric::load(std::string(YM_TEST_DATA) + "/nvl72.json");
}

TEST(Placer, JobLandsInOneLeafGroupWheneverOneHoldsIt) {
    const Fabric fabric = hgx();
    for (std::uint32_t leaf = 0; leaf < 4; ++leaf) {
        PlacementRequest request = whole(fabric, 4, "tp8");
        for (std::uint32_t other = 0; other < 4; ++other) {
            request.offers[other * 4].usable = other == leaf;
        }
        EXPECT_THAT(first(fabric, request),
                    ElementsAre(leaf * 4, leaf * 4 + 1, leaf * 4 + 2, leaf * 4 + 3));
    }
}

TEST(Placer, JobStaysInThePodThatHoldsIt) {
    const Fabric fabric = hgx();
    PlacementRequest request = whole(fabric, 4, "tp8");
    busy(request, {0, 1, 2, 4, 5, 6, 8, 9, 12});  // 1 + 1 free in pod 1, 2 + 3 in pod 2
    EXPECT_THAT(first(fabric, request), ElementsAre(10, 11, 13, 14));
    busy(request, {11});  // 1 + 3
    EXPECT_THAT(first(fabric, request), ElementsAre(10, 13, 14, 15));
}

TEST(Placer, SameInputGivesTheSameOutput) {
    const Fabric fabric = hgx();
    const PlacementRequest request = whole(fabric, 6);
    const auto once = candidates(fabric, request);
    const auto again = candidates(fabric, request);
    ASSERT_EQ(once.size(), again.size());
    for (std::size_t i = 0; i < once.size(); ++i) {
        EXPECT_EQ(once[i].nodes, again[i].nodes);
    }
}

TEST(Placer, SharesAreEven) {
    FabricMaker maker;
    const UnitIndex core = maker.unit();
    for (int i = 0; i < 4; ++i) {
        maker.leaf(core, 32);
    }
    const Fabric fabric = maker.make();
    EXPECT_THAT(spread(fabric, whole(fabric, 33)), ElementsAre(17, 16));
    EXPECT_THAT(spread(fabric, whole(fabric, 65)), ElementsAre(22, 22, 21));
    PlacementRequest request = whole(fabric, 32);
    busy(request, {0, 32, 64, 96});
    EXPECT_THAT(spread(fabric, request), ElementsAre(16, 16)) << "not 31 + 1";
}

TEST(Placer, SmallJobsFillWhatIsBrokenInto) {
    const Fabric fabric = hgx();
    PlacementRequest request = whole(fabric, 1);
    busy(request, {4, 8, 9});
    EXPECT_THAT(first(fabric, request), ElementsAre(10))
        << "fewest free nodes, not the lowest index";
    request.gpus_per_node = 0;
    EXPECT_THAT(first(fabric, request), ElementsAre(10));
    request.offers[6].part_used = true;
    EXPECT_THAT(first(fabric, request), ElementsAre(6)) << "a part-used node before a fresh one";
}

TEST(Placer, LeafGroupThatFitsBestIsTaken) {
    FabricMaker maker;
    const UnitIndex core = maker.unit();
    for (std::uint32_t size = 11; size > 0; --size) {
        maker.leaf(core, size);
    }
    const Fabric fabric = maker.make();
    for (std::uint32_t nodes = 1; nodes <= 11; ++nodes) {
        const auto best = candidates(fabric, whole(fabric, nodes)).front();
        EXPECT_EQ(best.score.leaf_groups, 1u);
        EXPECT_EQ(best.score.leftover_nodes, 0u)
            << nodes << " nodes have a group of just that size";
    }
    const PlacementScore score = candidates(fabric, whole(fabric, 12)).front().score;
    EXPECT_EQ(score.leaf_groups, 2u);
    EXPECT_EQ(score.imbalance, 0u);
    EXPECT_EQ(score.leftover_nodes, 1u) << "6 of 6 and 6 of 7";
}

TEST(Placer, UnevenPodsAreUsedAsTheyAre) {
    FabricMaker maker;
    const UnitIndex core = maker.unit();
    const UnitIndex small = maker.unit(core, 3);
    const UnitIndex large = maker.unit(core, 3);
    for (int i = 0; i < 3; ++i) {
        maker.leaf(small, 4);
    }
    for (int i = 0; i < 6; ++i) {
        maker.leaf(large, 4);
    }
    const Fabric fabric = maker.make();
    EXPECT_THAT(spread(fabric, whole(fabric, 12)), ElementsAre(4, 4, 4));
    EXPECT_LT(first(fabric, whole(fabric, 12)).back(), 12u) << "the small pod fits exactly";
    EXPECT_EQ(first(fabric, whole(fabric, 20)).front(), 12u) << "the large pod alone";
    EXPECT_EQ(candidates(fabric, whole(fabric, 28)).front().score.leaf_groups, 7u);
}

TEST(Placer, CheapHopsArePreferredToDearOnes) {
    FabricMaker maker;
    const UnitIndex core = maker.unit();
    for (std::uint32_t pod = 0; pod < 2; ++pod) {
        const UnitIndex unit = maker.unit(core, 4);
        for (int i = 0; i < 6; ++i) {
            maker.leaf(unit, 2);
        }
    }
    const Fabric fabric = maker.make();
    PlacementRequest request = whole(fabric, 6);
    // Pod 1 has single nodes in six leaf groups; two pods together would touch only three groups.
    busy(request, {0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 19, 20, 21, 22, 23});
    const PlacementScore score = candidates(fabric, request).front().score;
    EXPECT_EQ(score.leaf_groups, 6u);
    const double line =
        12656250000.0 * 47 / 24 / 8 / 50e9;  // bytes x 2(n-1)/n / rails / bytes a second
    EXPECT_NEAR(score.comm_cost, line * 1.125, 1e-6) << "no edge leaves the pod";
}

TEST(Placer, SeparateFabricsAreJoinedOnlyWhenNothingElseFits) {
    FabricMaker maker;
    maker.leaf(std::nullopt, 4);
    const UnitIndex core = maker.unit();
    for (int i = 0; i < 5; ++i) {
        maker.leaf(core, 1, 100);
    }
    const Fabric fabric = maker.make();
    PlacementRequest request = whole(fabric, 5);
    EXPECT_THAT(first(fabric, request), ElementsAre(4, 5, 6, 7, 8));
    busy(request, {8});
    const PlacementScore score = candidates(fabric, request).front().score;
    EXPECT_EQ(score.separate_fabrics, 1u);
}

TEST(Placer, NodesUnderNoSwitchComeLast) {
    FabricMaker maker;
    maker.nodes(2);
    maker.leaf(std::nullopt, 2);
    const Fabric fabric = maker.make();
    EXPECT_THAT(first(fabric, whole(fabric, 2)), ElementsAre(2, 3));
    EXPECT_EQ(candidates(fabric, whole(fabric, 3)).front().score.separate_fabrics, 1u);
}

TEST(Placer, TpGroupsOfFourTraysStayInTheirRacks) {
    const Fabric fabric = nvl72();
    for (std::uint32_t nodes = 4; nodes <= 48; nodes += 4) {
        const auto found = candidates(fabric, whole(fabric, nodes, "tp16"));
        EXPECT_EQ(describe(fabric, found.front().nodes, 4, {}).nvlink_domains, (nodes + 15) / 16)
            << "as few racks as hold the groups";
        for (const Candidate& candidate : found) {
            std::map<DomainIndex, std::uint32_t> racks;
            for (NodeIndex node : candidate.nodes) {
                racks[fabric.node(node).domain] += 1;
            }
            for (const auto& [rack, count] : racks) {
                EXPECT_EQ(count % 4, 0u);
            }
        }
    }
    const auto none = Placer(fabric).propose(whole(fabric, 52, "tp16"), kLimits);
    EXPECT_EQ(none.status().code(), ErrorCode::kUnavailable);
    EXPECT_THAT(none.status().message(),
                HasSubstr("free nodes in whole TP groups: 48, needed: 52"));
}

TEST(Placer, RackWhereGroupsPackBestIsTaken) {
    const Fabric fabric = nvl72();
    EXPECT_THAT(first(fabric, whole(fabric, 4, "tp16")), ElementsAre(0, 1, 2, 3));
    // tp8 takes pairs: nine of them need the rack of 18.
    EXPECT_EQ(first(fabric, whole(fabric, 18, "tp8")).front(), 33u);
    PlacementRequest request = whole(fabric, 2, "tp8");
    busy(request, {20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32});
    EXPECT_THAT(first(fabric, request), ElementsAre(16, 17)) << "the rack that is broken into";
}

TEST(Placer, NoTpGroupIsSplitWhenEveryRackHasAnOddRest) {
    FabricMaker maker(4);
    const UnitIndex core = maker.unit();
    for (int i = 0; i < 4; ++i) {
        maker.domain(maker.leaf(core, 3));
    }
    const Fabric fabric = maker.make();
    EXPECT_EQ(first(fabric, whole(fabric, 8, "tp8")).size(), 8u);
    EXPECT_EQ(Placer(fabric).propose(whole(fabric, 10, "tp8"), kLimits).status().code(),
              ErrorCode::kUnavailable);
}

TEST(Placer, DomainOverTwoLeafGroupsHoldsAGroupAcrossThem) {
    FabricMaker maker(4);
    const UnitIndex core = maker.unit();
    auto names = maker.leaf(core, 3);
    for (const std::string& name : maker.leaf(core, 3)) {
        names.push_back(name);
    }
    maker.domain(names);
    const Fabric fabric = maker.make();
    EXPECT_EQ(first(fabric, whole(fabric, 6, "tp24")).size(), 6u);
    EXPECT_EQ(first(fabric, whole(fabric, 6, "tp8")).size(), 6u);
    EXPECT_EQ(first(fabric, whole(fabric, 2, "tp8&leaf")).size(), 2u);
    EXPECT_FALSE(Placer(fabric).propose(whole(fabric, 4, "tp8&leaf"), kLimits));
}

TEST(Placer, LeafHintNeverBends) {
    const Fabric fabric = hgx();
    PlacementRequest request = whole(fabric, 4, "leaf");
    busy(request, {0, 4, 8});
    EXPECT_THAT(first(fabric, request), ElementsAre(12, 13, 14, 15));
    busy(request, {12});
    const auto none = Placer(fabric).propose(request, kLimits);
    EXPECT_EQ(none.status().code(), ErrorCode::kUnavailable);
    EXPECT_THAT(none.status().message(), HasSubstr("leaf: no leaf group has 4 free nodes"));
    request = whole(fabric, 2, "leaf");
    request.offers[0].required = request.offers[15].required = true;
    EXPECT_FALSE(Placer(fabric).propose(request, kLimits)) << "required in two leaf groups";
}

TEST(Placer, RequiredNodesAreAlwaysIn) {
    const Fabric fabric = hgx();
    PlacementRequest request = whole(fabric, 4);
    request.offers[6].required = true;
    for (const Candidate& candidate : candidates(fabric, request)) {
        EXPECT_THAT(candidate.nodes, testing::Contains(NodeIndex{6}));
    }
    EXPECT_THAT(first(fabric, request), ElementsAre(4, 5, 6, 7));
    for (NodeOffer& offer : request.offers) {
        offer.required = true;
    }
    EXPECT_EQ(Placer(fabric).propose(request, kLimits).status().code(), ErrorCode::kUnavailable);
}

TEST(Placer, CheapWeightClassesAreUsedUpFirst) {
    const Fabric fabric = hgx();
    PlacementRequest request = whole(fabric, 4);
    for (std::uint32_t node = 0; node < 16; ++node) {
        request.offers[node].weight_class = node % 4 == 1 ? 0 : 7;
    }
    EXPECT_THAT(first(fabric, request), ElementsAre(1, 5, 9, 13)) << "weight before topology";
    request.nodes = 5;
    const auto best = candidates(fabric, request).front();
    EXPECT_THAT(best.score.weight_use, ElementsAre(1, 4)) << "heaviest class first";
}

TEST(Placer, LeafHintTakesTheLightestLeafGroup) {
    const Fabric fabric = hgx();
    PlacementRequest request = whole(fabric, 3, "leaf");
    for (std::uint32_t node = 0; node < 16; ++node) {
        request.offers[node].weight_class = node == 9 || node == 10 ? 0 : 3;
    }
    EXPECT_THAT(first(fabric, request), ElementsAre(8, 9, 10));
}

TEST(Placer, LaterCandidatesAvoidTheNodesOfEarlierOnes) {
    const Fabric fabric = hgx();
    const auto found = candidates(fabric, whole(fabric, 4));
    ASSERT_EQ(found.size(), 4u);
    std::set<NodeIndex> nodes;
    for (const Candidate& candidate : found) {
        nodes.insert(candidate.nodes.begin(), candidate.nodes.end());
        EXPECT_EQ(candidate.score.leaf_groups, 1u);
    }
    EXPECT_EQ(nodes.size(), 16u);
}

TEST(Placer, LargeJobsStillGetAlternatives) {
    const Fabric fabric = hgx();
    const auto found = candidates(fabric, whole(fabric, 12));
    EXPECT_GE(found.size(), 3u);
    EXPECT_EQ(candidates(fabric, whole(fabric, 16)).size(), 1u);
}

TEST(Placer, LimitsAreKept) {
    const Fabric fabric = hgx();
    const Placer placer(fabric);
    EXPECT_EQ(placer.propose(whole(fabric, 1), {3})->size(), 3u);
    EXPECT_EQ(placer.propose(whole(fabric, 1), {0})->size(), 1u);
}

/// Sets and their scores, as text.
std::string answer_of(const Placer& placer, const PlacementRequest& request) {
    std::string text;
    const auto found = placer.propose(request, {});
    for (const Candidate& candidate : *found) {
        for (NodeIndex node : candidate.nodes) {
            text += std::to_string(raw(node)) + ' ';
        }
        text += std::to_string(candidate.score.comm_cost) + '\n';
    }
    return text;
}

/// A fabric and a job so large that the bound on work leaves sets out.
struct BoundedCase {
    Fabric fabric;
    PlacementRequest request;

    static BoundedCase make() {
        FabricMaker maker(8);
        const UnitIndex core = maker.unit();
        for (int pod = 0; pod < 20; ++pod) {
            const UnitIndex unit = maker.unit(core, 2);
            for (int leaf = 0; leaf < 16; ++leaf) {
                maker.leaf(unit, 4);
            }
        }
        BoundedCase bounded{maker.make(), {}};
        bounded.request = whole(bounded.fabric, 320, "tp8&pp8");
        for (std::size_t i = 0; i < bounded.request.offers.size(); ++i) {
            bounded.request.offers[i].usable = i * 7919 % 13 > 2;
        }
        return bounded;
    }
};

TEST(Placer, WorkBoundsSchedulersOnly) {
    const BoundedCase bounded = BoundedCase::make();
    const Placer placer(bounded.fabric);
    const auto hurried = placer.propose(bounded.request, {8, Patience::kScheduler});
    const auto patient = placer.propose(bounded.request, {8, Patience::kPerson});
    ASSERT_LT(hurried->size(), patient->size()) << "the case is too small to test anything";
    for (std::size_t i = 0; i < hurried->size(); ++i) {
        EXPECT_EQ((*hurried)[i].nodes, (*patient)[i].nodes) << i;
    }
}

/// Many threads on few cores are interrupted anywhere, so a placer that looked at a clock would
/// answer differently.
TEST(Placer, LoadOnTheMachineChangesNothing) {
    const BoundedCase bounded = BoundedCase::make();
    const Placer shared(bounded.fabric);
    const std::string expected = answer_of(shared, bounded.request);
    std::vector<std::string> answers(4 * std::max(2u, std::thread::hardware_concurrency()));
    std::vector<std::thread> threads;
    for (std::string& answer : answers) {
        threads.emplace_back([&] { answer = answer_of(shared, bounded.request); });
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
    for (const std::string& answer : answers) {
        EXPECT_EQ(answer, expected);
    }
    EXPECT_EQ(answer_of(Placer(bounded.fabric), bounded.request), expected) << "another placer";
}

TEST(Placer, RequestsOfAnotherShapeAreInvalid) {
    const Fabric fabric = hgx();
    const Placer placer(fabric);
    PlacementRequest request = whole(fabric, 4);
    request.offers.pop_back();
    EXPECT_EQ(placer.propose(request, kLimits).status().code(), ErrorCode::kInvalidArgument);
    EXPECT_EQ(placer.propose(whole(fabric, 0), kLimits).status().code(),
              ErrorCode::kInvalidArgument);
    EXPECT_EQ(placer.propose(whole(fabric, 3, "tp16"), kLimits).status().code(),
              ErrorCode::kInvalidArgument);
}

TEST(Placer, ScoreOfAForeignSetUsesTheSameRules) {
    const Fabric fabric = hgx();
    const Placer placer(fabric);
    const PlacementRequest request = whole(fabric, 4);
    const auto best = candidates(fabric, request).front();
    EXPECT_EQ(placer.score(best.nodes, request), best.score);
    const PlacementScore spread =
        placer.score({NodeIndex{0}, NodeIndex{4}, NodeIndex{8}, NodeIndex{12}}, request);
    const double line = 12656250000.0 * 31 / 16 / 8 / 50e9;
    EXPECT_NEAR(best.score.comm_cost, line, 1e-6);
    // Two of four edges leave a leaf group each way, two a pod (2:1) as well.
    EXPECT_NEAR(spread.comm_cost, line * (2.25 + (2 * 1.125 + 2 * 2.25) / 4) / 2, 1e-6);
    EXPECT_EQ(spread.broken_leaf_groups, 4u);
    EXPECT_GT(spread, best.score);
}

}  // namespace
}  // namespace yardmaster
