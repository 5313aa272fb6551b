#include "healthcheck/verdict.hpp"

#include <gtest/gtest.h>

namespace yardmaster {
namespace {

Finding finding(const std::string& sign, Verdict verdict, bool certain) {
    return {"port", "mlx5_0", sign, verdict, certain, "x", "y"};
}

TEST(Sentence, NamesTheObjectWhereThereIsOne) {
    Finding about = finding("port.rate", Verdict::kDegraded, true);
    about.detail = "runs at 100 Gb/sec";
    EXPECT_EQ(sentence_of(about), "mlx5_0: runs at 100 Gb/sec");
    about.object = "";
    EXPECT_EQ(sentence_of(about), "runs at 100 Gb/sec");
}

TEST(Combine, NothingFoundIsHealthy) {
    EXPECT_EQ(combine({}), Verdict::kHealthy);
}

TEST(Combine, UnknownFindingsNeverDegrade) {
    EXPECT_EQ(
        combine({finding("a", Verdict::kUnknown, false), finding("b", Verdict::kUnknown, false)}),
        Verdict::kUnknown);
}

TEST(Combine, OneCertainSignDegrades) {
    EXPECT_EQ(
        combine({finding("a", Verdict::kUnknown, false), finding("b", Verdict::kDegraded, true)}),
        Verdict::kDegraded);
}

TEST(Combine, OneUncertainSignIsNotEnough) {
    EXPECT_EQ(combine({finding("a", Verdict::kDegraded, false)}), Verdict::kUnknown);
}

TEST(Combine, TheSameSignOnManyObjectsIsOneSign) {
    std::vector<Finding> findings(8, finding("port.state", Verdict::kDegraded, false));
    EXPECT_EQ(combine(findings), Verdict::kUnknown);
}

TEST(Combine, TwoIndependentUncertainSignsDegrade) {
    EXPECT_EQ(
        combine({finding("a", Verdict::kDegraded, false), finding("b", Verdict::kDegraded, false)}),
        Verdict::kDegraded);
}

TEST(Primary, CertainFindingComesBeforeEarlierOnes) {
    const std::vector<Finding> findings = {finding("a", Verdict::kUnknown, false),
                                           finding("b", Verdict::kDegraded, false),
                                           finding("c", Verdict::kDegraded, true)};
    EXPECT_EQ(primary(findings)->sign, "c");
    EXPECT_EQ(primary({}), nullptr);
}

TEST(VerdictWord, RoundTripsAndRefusesOthers) {
    for (Verdict verdict : {Verdict::kHealthy, Verdict::kUnknown, Verdict::kDegraded}) {
        EXPECT_EQ(*parse_verdict(to_string(verdict)), verdict);
    }
    EXPECT_FALSE(parse_verdict("fine"));
}

}  // namespace
}  // namespace yardmaster
