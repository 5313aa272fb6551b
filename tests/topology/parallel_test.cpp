#include "topology/parallel.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

namespace yardmaster {
namespace {

using testing::ElementsAre;

std::vector<std::uint32_t> ranks(const Parallelism& sizes, GroupKind kind, std::uint32_t index) {
    std::vector<std::uint32_t> result;
    const RankGroup group = group_of(sizes, kind, index);
    for (std::uint32_t i = 0; i < group.size; ++i) {
        result.push_back(static_cast<std::uint32_t>(group.rank(i)));
    }
    return result;
}

/// The example in Megatron-LM's own description: 16 GPUs, tp 2, pp 4.
TEST(Parallel, GroupsAreMegatrons) {
    const Parallelism sizes = *derive_parallelism(*parse_hints("tp2&pp4"), {2, 8});
    EXPECT_EQ(sizes.dp, 2u);
    EXPECT_EQ(group_count(sizes, GroupKind::kTp), 8u);
    EXPECT_THAT(ranks(sizes, GroupKind::kTp, 3), ElementsAre(6, 7));
    EXPECT_EQ(group_count(sizes, GroupKind::kDp), 8u);
    EXPECT_THAT(ranks(sizes, GroupKind::kDp, 0), ElementsAre(0, 2));
    EXPECT_THAT(ranks(sizes, GroupKind::kDp, 3), ElementsAre(5, 7));
    EXPECT_EQ(group_count(sizes, GroupKind::kPp), 4u);
    EXPECT_THAT(ranks(sizes, GroupKind::kPp, 1), ElementsAre(1, 5, 9, 13));
}

/// 8 GPUs, tp 4, cp 2: as Megatron-LM describes context parallelism.
TEST(Parallel, ContextGroupsAreTpApart) {
    const Parallelism sizes = *derive_parallelism(*parse_hints("tp4&cp2"), {1, 8});
    EXPECT_EQ(group_count(sizes, GroupKind::kCp), 4u);
    EXPECT_THAT(ranks(sizes, GroupKind::kCp, 0), ElementsAre(0, 4));
    EXPECT_THAT(ranks(sizes, GroupKind::kCp, 3), ElementsAre(3, 7));
}

TEST(Parallel, ExpertGroupsCutTheGradientGroups) {
    const Parallelism sizes = *derive_parallelism(*parse_hints("tp2&cp2&ep4&pp2"), {4, 8});
    EXPECT_EQ(sizes.dp, 4u);
    EXPECT_THAT(ranks(sizes, GroupKind::kGradient, 1), ElementsAre(1, 3, 5, 7, 9, 11, 13, 15));
    EXPECT_THAT(ranks(sizes, GroupKind::kEp, 1), ElementsAre(1, 3, 5, 7));
    EXPECT_THAT(ranks(sizes, GroupKind::kEp, 2), ElementsAre(8, 10, 12, 14));
    EXPECT_THAT(ranks(sizes, GroupKind::kEp, 4), ElementsAre(16, 18, 20, 22));
}

TEST(Parallel, EveryRankIsInOneGroupOfAKind) {
    const Parallelism sizes{2, 3, 6, 4, 5};
    for (GroupKind kind : kGroupKinds) {
        SCOPED_TRACE(group_word(kind));
        std::set<std::uint32_t> seen;
        for (std::uint32_t i = 0; i < group_count(sizes, kind); ++i) {
            const RankGroup group = group_of(sizes, kind, i);
            for (std::uint32_t k = 0; k < group.size; ++k) {
                EXPECT_TRUE(seen.insert(static_cast<std::uint32_t>(group.rank(k))).second);
                EXPECT_EQ(place_of(sizes, kind, group.rank(k)), (GroupPlace{i, k}));
            }
        }
        EXPECT_EQ(seen.size(), sizes.ranks());
        EXPECT_EQ(*seen.rbegin(), sizes.ranks() - 1);
    }
}

TEST(Parallel, WhatIsLeftOutFollowsFromTheJob) {
    EXPECT_EQ(*derive_parallelism({}, {3, 8}), (Parallelism{1, 1, 1, 24, 1}));
    EXPECT_EQ(*derive_parallelism(*parse_hints("tp8&dp2"), {4, 8}), (Parallelism{8, 1, 1, 2, 2}));
    EXPECT_EQ(*derive_parallelism(*parse_hints("dp4"), {4, 8}), (Parallelism{8, 1, 1, 4, 1}));
    EXPECT_EQ(*derive_parallelism(*parse_hints("dp2&pp2"), {8, 8}), (Parallelism{16, 1, 1, 2, 2}));
}

TEST(Parallel, SizesThatDoNotFitAreErrors) {
    EXPECT_EQ(derive_parallelism(*parse_hints("tp3"), {2, 8}).status().code(),
              ErrorCode::kInvalidArgument);
    EXPECT_EQ(derive_parallelism(*parse_hints("tp8&ep3"), {4, 8}).status().code(),
              ErrorCode::kInvalidArgument);
    EXPECT_EQ(derive_parallelism({}, {4, 0}).status().code(), ErrorCode::kInvalidArgument);
}

}  // namespace
}  // namespace yardmaster
