// Sets of GPU indices, against brute force over every set of every size.
#include "topology/index_set.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <random>
#include <set>

#include "topology/fabric.hpp"

namespace yardmaster {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

NodeGpus free_gpus(GpuMask free) {
    NodeGpus node;
    node.free = free;
    return node;
}

GpuMask best_of(const std::vector<NodeGpus>& nodes, std::uint32_t gpus) {
    return best_common_set(nodes, gpus).value_or(0);
}

TEST(IndexSet, IsFreeOnEveryNode) {
    EXPECT_EQ(best_of({free_gpus(0xF0), free_gpus(0xFF)}, 4), 0xF0U);
    EXPECT_EQ(best_common_set(std::vector{free_gpus(0xF0), free_gpus(0x0F)}, 1), std::nullopt);
    EXPECT_EQ(best_common_set(std::vector{free_gpus(0xFF)}, 9), std::nullopt);
    EXPECT_EQ(best_common_set(std::vector<NodeGpus>{}, 1), std::nullopt);
}

TEST(IndexSet, AlignedBlocksComeFirst) {
    EXPECT_EQ(best_of({free_gpus(0xFC)}, 4), 0xF0U) << "not 2-5";
    EXPECT_EQ(best_of({free_gpus(0b11110)}, 2), 0b1100U) << "not 1-2";
    EXPECT_EQ(best_of({free_gpus(0xFF)}, 3), 0b111U);
    EXPECT_EQ(best_of({free_gpus(0xFF)}, 8), 0xFFU);
}

TEST(IndexSet, FreeBlocksStayWhole) {
    EXPECT_EQ(best_of({free_gpus(0b11110011)}, 2), 0b11U);
    EXPECT_EQ(best_of({free_gpus(0b11001111)}, 2), 0b11000000U);
    EXPECT_EQ(best_of({free_gpus(0b11110010)}, 1), 0b10U);
}

TEST(IndexSet, RailsThenCoresComeBeforeAlignment) {
    NodeGpus node = free_gpus(0xFF);
    node.near = 0xF0;
    EXPECT_EQ(best_of({node}, 4), 0xF0U);
    node.on_rail = 0b10101111;
    EXPECT_EQ(best_of({node}, 4), 0b10100011U);
    EXPECT_EQ(best_of({node}, 2), 0b10100000U);
}

TEST(IndexSet, FewSocketsAreTouched) {
    NodeGpus node = free_gpus(0b01111110);
    node.sockets = {0b00000111, 0b11111000};  // cut beside the blocks
    EXPECT_EQ(best_of({node}, 2), 0b110000U) << "2-3 lies on two";
}

/// Some masks of eight GPUs, few kinds of them, as on a real cluster.
std::vector<NodeGpus> random_nodes(std::mt19937& random) {
    std::vector<NodeGpus> kinds(1 + random() % 4);
    for (NodeGpus& kind : kinds) {
        kind.free = random() % 256 | random() % 256;
        kind.on_rail = random() % 3 > 0 ? kAllGpus : random();
        kind.near = random() % 3 > 0 ? kAllGpus : random();
        kind.sockets = {0x0F, 0xF0};
    }
    std::vector<NodeGpus> nodes;
    for (std::size_t i = 0; i < 1 + random() % 6; ++i) {
        nodes.push_back(kinds[random() % kinds.size()]);
    }
    return nodes;
}

bool free_everywhere(GpuMask set, const std::vector<NodeGpus>& nodes) {
    return std::all_of(
        nodes.begin(), nodes.end(), [&](const NodeGpus& node) { return (set & ~node.free) == 0; });
}

TEST(IndexSet, NoSetIsCheaperThanTheBest) {
    std::mt19937 random(7);
    for (int round = 0; round < 3000; ++round) {
        const auto nodes = random_nodes(random);
        const std::uint32_t gpus = 1 + random() % 8;
        std::optional<IndexSetCost> best;
        for (GpuMask set = 1; set < 256; ++set) {
            if (std::popcount(set) == static_cast<int>(gpus) && free_everywhere(set, nodes)) {
                const IndexSetCost cost = cost_of(set, nodes);
                best = best ? std::min(*best, cost) : cost;
            }
        }
        const auto found = best_common_set(nodes, gpus);
        ASSERT_EQ(found.has_value(), best.has_value()) << round;
        ASSERT_EQ(found.value_or(0), best ? best->set : 0) << round;
    }
}

TEST(SharedSets, EverySetOfNodesThatSharesIndicesIsInsideOneFound) {
    std::mt19937 random(11);
    for (int round = 0; round < 2000; ++round) {
        std::vector<GpuMask> free(2 + random() % 8);
        for (GpuMask& mask : free) {
            mask = random() % 256 | (random() % 256 & random());
        }
        const std::uint32_t gpus = 1 + random() % 6;
        const std::size_t least = 1 + random() % 3;
        const auto found = nodes_sharing_a_set(free, kAllGpus, gpus, least, 1000);
        std::set<std::vector<std::uint32_t>> lists(found.begin(), found.end());
        ASSERT_EQ(lists.size(), found.size()) << "distinct";
        for (GpuMask set = 1; set < 256; ++set) {
            if (std::popcount(set) != static_cast<int>(gpus)) {
                continue;
            }
            std::vector<std::uint32_t> sharing;
            for (std::uint32_t i = 0; i < free.size(); ++i) {
                if ((set & ~free[i]) == 0) {
                    sharing.push_back(i);
                }
            }
            const bool inside = std::any_of(found.begin(), found.end(), [&](const auto& list) {
                return std::includes(list.begin(), list.end(), sharing.begin(), sharing.end());
            });
            ASSERT_TRUE(inside || sharing.size() < least) << round;
        }
        for (const auto& list : found) {
            GpuMask common = kAllGpus;
            for (const std::uint32_t i : list) {
                common &= free[i];
            }
            ASSERT_GE(std::popcount(common), static_cast<int>(gpus)) << round;
            ASSERT_GE(list.size(), least) << round;
        }
    }
}

TEST(SharedSets, LongestListsComeFirstAndNoneInsideAnother) {
    const std::vector<GpuMask> free{0x0F, 0x0F, 0xF0, 0xFF};
    EXPECT_THAT(nodes_sharing_a_set(free, kAllGpus, 4, 1, 8),
                ElementsAre(ElementsAre(0, 1, 3), ElementsAre(2, 3)));
    EXPECT_THAT(nodes_sharing_a_set(free, kAllGpus, 4, 1, 1), ElementsAre(ElementsAre(0, 1, 3)));
    EXPECT_THAT(nodes_sharing_a_set(free, 0xF0, 4, 1, 8), ElementsAre(ElementsAre(2, 3)));
    EXPECT_THAT(nodes_sharing_a_set(free, kAllGpus, 4, 4, 8), IsEmpty());
    EXPECT_THAT(nodes_sharing_a_set({}, kAllGpus, 4, 1, 8), IsEmpty());
}

TEST(SharedSets, LargeNodesAreSearchedByBlocks) {
    const std::vector<GpuMask> free{kAllGpus, ~GpuMask{0xFF}, GpuMask{0xFFFF} << 32};
    EXPECT_THAT(nodes_sharing_a_set(free, kAllGpus, 16, 3, 8), ElementsAre(ElementsAre(0, 1, 2)));
    EXPECT_EQ(best_of({free_gpus(free[0]), free_gpus(free[1])}, 32), GpuMask{0xFFFFFFFF} << 32);
    EXPECT_EQ(best_of({free_gpus(kAllGpus)}, 64), kAllGpus);
}

TEST(AlignedGpus, ExceptionsWithAnotherNicAreOffTheirRail) {
    const auto fabric = Fabric::parse(R"({"version": 1,
      "node_types": {"t": {"gpus": 4, "rails": [{"nic": "a", "gbps": 1}, {"nic": "b", "gbps": 1},
                                                {"nic": "c", "gbps": 1}, {"nic": "d", "gbps": 1}]},
                     "bare": {"gpus": 4}},
      "nodes": {"n[0-2]": "t", "n3": "bare"},
      "exceptions": [{"node": "n1", "gpu": 0, "nic": "b", "gbps": 1},
                     {"node": "n1", "gpu": 3, "nic": null},
                     {"node": "n2", "gpu": 2, "nic": "c", "gbps": 2}]})",
                                      "test");
    ASSERT_TRUE(fabric) << fabric.status().message();
    EXPECT_EQ(aligned_gpus(*fabric, NodeIndex{0}), kAllGpus);
    EXPECT_EQ(aligned_gpus(*fabric, NodeIndex{1}), ~GpuMask{0b1001});
    EXPECT_EQ(aligned_gpus(*fabric, NodeIndex{2}), kAllGpus) << "only slower";
    EXPECT_EQ(aligned_gpus(*fabric, NodeIndex{3}), kAllGpus);
}

}  // namespace
}  // namespace yardmaster
