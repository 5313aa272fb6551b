#include "topology/hints.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace yardmaster {
namespace {

using testing::HasSubstr;

SplitConstraint split(const std::string& constraint) {
    auto result = split_constraint(constraint);
    EXPECT_TRUE(result) << constraint << ": " << result.status().message();
    return result ? *result : SplitConstraint{};
}

std::string refusal(const std::string& constraint) {
    auto result = split_constraint(constraint);
    EXPECT_EQ(result.status().code(), ErrorCode::kInvalidArgument) << constraint;
    return result.status().message();
}

TEST(SplitConstraint, HintsAreTakenFromAmongFeatures) {
    const SplitConstraint result = split("h100&tp8&ib&pp2");
    EXPECT_EQ(result.features, "h100&ib");
    EXPECT_EQ(result.hints.tp, 8u);
    EXPECT_EQ(result.hints.pp, 2u);
    EXPECT_FALSE(result.hints.dp);
}

TEST(SplitConstraint, HintsAloneLeaveNothing) {
    EXPECT_EQ(split("leaf&rail&tp4").features, "");
    EXPECT_EQ(split("tp4").hints.to_string(), "tp4");
    EXPECT_EQ(split("&tp4&").features, "");
}

TEST(SplitConstraint, CommaIsAnAnd) {
    EXPECT_EQ(split("h100,tp8,ib").features, "h100,ib");
}

TEST(SplitConstraint, WithoutHintsTheTextIsUntouched) {
    for (const char* text : {"", "h100", "[fa*2&fb*2]", "a|b&(c|d)", "a&&b", "x]", " a & b "}) {
        EXPECT_EQ(split(text).features, text);
        EXPECT_TRUE(split(text).hints.empty());
    }
}

TEST(SplitConstraint, AlternativesInBracketsMayStandBesideHints) {
    EXPECT_EQ(split("(h100|a100)&tp8").features, "(h100|a100)");
    EXPECT_EQ(split("tp8&[rack1|rack2]&ib").features, "[rack1|rack2]&ib");
}

TEST(SplitConstraint, FeaturesThatStartLikeHintsAreSlurms) {
    for (const char* text : {"tpm2",
                             "tpu8",
                             "leaflet",
                             "dp-net",
                             "rails",
                             "railgun",
                             "epyc",
                             "epyc7742",
                             "cpu8",
                             "ppc64",
                             "dpdk",
                             "tp8x",
                             "tp-8a",
                             "leaf1",
                             "rail0",
                             "tp8-9",
                             "cp--8"}) {
        EXPECT_EQ(split(text).features, text);
        EXPECT_EQ(split(std::string("tp8&") + text).features, text);
    }
}

TEST(SplitConstraint, NearMissesSayWhatToWrite) {
    for (const char* text : {"tp=8", "tp-8", "tp_8", "tp:8", "TP8", "Tp8", "tp08", "tp.8"}) {
        EXPECT_THAT(refusal(text), HasSubstr("write tp8")) << text;
        EXPECT_THAT(refusal(std::string("h100&") + text), HasSubstr(text));
    }
    for (const char* text : {"tp", "TP", "tp0", "tp-", "tp65537", "tp99999999999999999999"}) {
        EXPECT_THAT(refusal(text), HasSubstr("write tpN with N from 1 to 65536")) << text;
    }
    EXPECT_THAT(refusal("Rail"), HasSubstr("write rail"));
    EXPECT_THAT(refusal("LEAF"), HasSubstr("write leaf"));
}

TEST(SplitConstraint, HintsInTheWrongPlaceAreRefused) {
    EXPECT_THAT(refusal("tp8|h100"), HasSubstr("ambiguous"));
    EXPECT_THAT(refusal("a|b&tp8"), HasSubstr("parentheses"));
    EXPECT_THAT(refusal("[tp8&h100]"), HasSubstr("inside []"));
    EXPECT_THAT(refusal("(h100&(tp8))"), HasSubstr("inside ()"));
    EXPECT_THAT(refusal("tp8*4"), HasSubstr("takes no count"));
    EXPECT_THAT(refusal("tp8&h100*4"), HasSubstr("h100*4"));
    EXPECT_THAT(refusal("tp8&[fa*2&fb*2]"), HasSubstr("feature count"));
}

TEST(SplitConstraint, SameHintTwiceMustAgree) {
    EXPECT_EQ(split("tp8&tp8").hints.tp, 8u);
    EXPECT_THAT(refusal("tp8&tp4"), HasSubstr("contradicts tp8"));
}

TEST(ParseHints, ReadsBackWhatToStringWrites) {
    Hints hints;
    hints.tp = 65536;
    hints.cp = 2;
    hints.ep = 4;
    hints.pp = 1;
    hints.dp = 16;
    hints.rail = true;
    hints.leaf = true;
    EXPECT_EQ(hints.to_string(), "tp65536&cp2&ep4&pp1&dp16&rail&leaf");
    auto back = parse_hints(hints.to_string());
    ASSERT_TRUE(back);
    EXPECT_EQ(*back, hints);
    EXPECT_TRUE(parse_hints("")->empty());
}

TEST(ParseHints, OtherWordsAreRefused) {
    EXPECT_THAT(parse_hints("tp8&h100").status().message(), HasSubstr("known: tpN"));
}

TEST(FindHintWord, FindsHintsWhereverTheyStand) {
    EXPECT_EQ(find_hint_word("a|[b&tp8*2]"), "tp8");
    EXPECT_EQ(find_hint_word("rail"), "rail");
    EXPECT_FALSE(find_hint_word("tpm2|rails"));
    EXPECT_FALSE(find_hint_word(""));
}

TEST(QuantumNodes, IsTheNodesOfWholeGroups) {
    Hints hints;
    EXPECT_EQ(quantum_nodes(hints, 8), 1u);
    hints.tp = 8;
    EXPECT_EQ(quantum_nodes(hints, 8), 1u);
    EXPECT_EQ(quantum_nodes(hints, 4), 2u);
    EXPECT_EQ(quantum_nodes(hints, 0), 1u);
    hints.tp = 12;
    EXPECT_EQ(quantum_nodes(hints, 8), 3u);
}

}  // namespace
}  // namespace yardmaster
