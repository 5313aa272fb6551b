#include "healthcheck/nvlink/ber_judge.hpp"

#include <gtest/gtest.h>

#include "healthcheck/nvlink/nvlink_field.hpp"

namespace yardmaster {
namespace {

constexpr std::uint64_t packed(unsigned mantissa, unsigned exponent) {
    return mantissa << 8 | exponent;
}

std::vector<Finding> judge(std::string_view field, std::uint64_t value) {
    GpuReading gpu;
    auto& links = gpu.nvlink.fields[std::string(field)];
    links.assign(18, {kNvmlSuccess, packed(15, 255)});
    links[7] = {kNvmlSuccess, value};
    std::vector<Finding> findings;
    judge_error_rates("GPU2", gpu, findings);
    return findings;
}

TEST(BitErrorRate, IsMantissaTimesTenToTheMinusExponent) {
    EXPECT_DOUBLE_EQ(decode_ber(packed(2, 9)), 2e-9);
    EXPECT_DOUBLE_EQ(decode_ber(packed(15, 255)), 1.5e-254);
    EXPECT_EQ(decode_ber(0), 0);
    EXPECT_DOUBLE_EQ(decode_ber(0xabcd0000 | packed(1, 0)), 1) << "other bits do not count";
}

TEST(BerJudge, RatesWithinTheLimitsAreHealthy) {
    EXPECT_TRUE(judge(kEffectiveBer, packed(1, 9)).empty());
    EXPECT_TRUE(judge(kSymbolBer, packed(1, 12)).empty());
    EXPECT_TRUE(judge(kSymbolBer, 0).empty());
}

TEST(BerJudge, RateAboveTheLimitNamesTheLinkAndIsNotCertain) {
    for (const auto& [field, value] :
         {std::pair(kEffectiveBer, packed(2, 9)), std::pair(kSymbolBer, packed(2, 12))}) {
        const auto findings = judge(field, value);
        ASSERT_EQ(findings.size(), 1u);
        EXPECT_EQ(findings[0].verdict, Verdict::kDegraded);
        EXPECT_FALSE(findings[0].certain);
        EXPECT_NE(findings[0].detail.find("NVLink 7"), std::string::npos);
    }
    EXPECT_EQ(judge(kEffectiveBer, packed(2, 9))[0].short_text, "BER 2e-09");
}

TEST(BerJudge, ImpossibleRateIsUnknown) {
    EXPECT_EQ(judge(kSymbolBer, packed(15, 0)).at(0).verdict, Verdict::kUnknown);
}

TEST(BerJudge, LinksThatDoNotTellAreLeftOut) {
    GpuReading gpu;
    gpu.nvlink.fields["symbol_ber"] = {{kNvmlNotSupported, packed(9, 1)}};
    std::vector<Finding> findings;
    judge_error_rates("GPU2", gpu, findings);
    EXPECT_TRUE(findings.empty());
}

}  // namespace
}  // namespace yardmaster
