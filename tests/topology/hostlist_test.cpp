#include "topology/hostlist.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace yardmaster {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(ExpandHostlist, RangesAndPlainNamesKeepTheirOrder) {
    auto names = expand_hostlist("yard[01-03],gpu7, b[2,9]");
    ASSERT_TRUE(names) << names.status().message();
    EXPECT_THAT(*names, ElementsAre("yard01", "yard02", "yard03", "gpu7", "b2", "b9"));
}

TEST(ExpandHostlist, SeveralBracketsMultiply) {
    auto names = expand_hostlist("r[1-2]n[1-2]");
    ASSERT_TRUE(names) << names.status().message();
    EXPECT_THAT(*names, ElementsAre("r1n1", "r1n2", "r2n1", "r2n2"));
}

TEST(ExpandHostlist, EmptyExpressionGivesNoNames) {
    auto names = expand_hostlist("");
    ASSERT_TRUE(names);
    EXPECT_THAT(*names, IsEmpty());
}

TEST(ExpandHostlist, BadExpressionsAreRefusedNotGuessed) {
    for (const char* bad : {"a[",
                            "a]",
                            "a[1-",
                            "a[1-2",
                            "a[x]",
                            "a[3-1]",
                            "a[]",
                            "a[1,]",
                            "a[1]b",
                            "a[[1]]",
                            "a b",
                            "a;b",
                            "a[-1]",
                            "a[1--2]",
                            "a[1-2-3]"}) {
        auto names = expand_hostlist(bad);
        EXPECT_EQ(names.status().code(), ErrorCode::kMalformed) << bad;
        EXPECT_THAT(names.status().message(), HasSubstr(bad));
    }
}

TEST(ExpandHostlist, HugeRangesAreRefusedBeforeTheyAreExpanded) {
    for (const char* huge :
         {"n[1-999999999]", "n[0-65535]x[0-65535]x[0-65535]", "n[1-99999999999999999999999]"}) {
        EXPECT_EQ(expand_hostlist(huge).status().code(), ErrorCode::kMalformed) << huge;
    }
}

TEST(ExpandHostlist, LimitCountsAllItems) {
    EXPECT_TRUE(expand_hostlist("a[1-5],b[1-5]", 10));
    EXPECT_FALSE(expand_hostlist("a[1-5],b[1-6]", 10));
}

TEST(ExpandHostlist, LongNumericNameIsKept) {
    auto names = expand_hostlist("i-0123456789012345678901234567890");
    ASSERT_TRUE(names);
    EXPECT_THAT(*names, ElementsAre("i-0123456789012345678901234567890"));
}

TEST(CompressHostlist, NeighboursBecomeRanges) {
    EXPECT_EQ(compress_hostlist({"a1", "a2"}), "a[1-2]");
    EXPECT_EQ(compress_hostlist({"a01", "a02", "a04", "login"}), "a[01-02,04],login");
    EXPECT_EQ(compress_hostlist({}), "");
}

TEST(CompressHostlist, ManyNamesSurviveTheRoundTrip) {
    std::vector<std::string> names;
    for (int i = 0; i < 3000; ++i) {
        names.push_back("rack" + std::to_string(i % 50) + "-n" + std::to_string(i * 3));
    }
    auto back = expand_hostlist(compress_hostlist(names));
    ASSERT_TRUE(back) << back.status().message();
    EXPECT_EQ(*back, names);
}

}  // namespace
}  // namespace yardmaster
