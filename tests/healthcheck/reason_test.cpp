#include "healthcheck/reason.hpp"

#include <gtest/gtest.h>

namespace yardmaster {
namespace {

Finding finding(const std::string& object, const std::string& text) {
    return {"port", object, "sign", Verdict::kDegraded, true, text, ""};
}

TEST(Cause, SaysItWithinWhatSinfoShows) {
    const std::pair<Finding, std::string> cases[] = {
        {finding("mlx5_3", "100/400Gb"), "mlx5_3 100/400Gb"},
        {finding("mlx5_10", "100/400Gb"), "mlx5_10 100/400Gb"},
        {finding("mlx5_3", "down"), "mlx5_3 down"},
        {finding("GPU2", "missing"), "GPU2 missing"},
        {finding("GPU4", "NVLink 17/18"), "GPU4 NVLink 17/18"},
        {finding("GPU10", "NVLink 17/18"), "GPU10 NVL 17/18"},
        {finding("rocep144s0f0", "100/400Gb"), "~44s0f0 100/400Gb"},
        {finding("GPU3", "ECC 123456789012345678901"), "ECC 1234567890123"},
    };
    for (const auto& [input, expected] : cases) {
        EXPECT_EQ(cause_of(input), expected);
        EXPECT_LE(3 + cause_of(input).size(), kReasonShown) << expected;
    }
}

TEST(Reason, ReadsBackWhatItWrites) {
    const DrainReason reason{"mlx5_3 100/400Gb", 123, "yard07-123-1700000000", true, "runs slow"};
    const std::string text = format_reason(reason);
    EXPECT_EQ(text, "ym mlx5_3 100/400Gb job 123 ev yard07-123-1700000000 SIMULATED runs slow");
    const auto parsed = parse_reason(text);
    ASSERT_TRUE(parsed);
    EXPECT_EQ(parsed->cause, reason.cause);
    EXPECT_EQ(parsed->job, 123u);
    EXPECT_EQ(parsed->evidence_id, reason.evidence_id);
    EXPECT_TRUE(parsed->simulated);
    EXPECT_EQ(parsed->detail, "runs slow");
}

TEST(Reason, LengthIsBoundedAndUnprintableBytesAreReplaced) {
    const DrainReason reason{"GPU2 lost", 1, "n-1-2", false, std::string(500, 'x')};
    EXPECT_EQ(format_reason(reason).size(), kReasonMaxBytes);
    EXPECT_EQ(format_reason({"GPU2 lost", 1, "n-1-2", false, "a\nb"}),
              "ym GPU2 lost job 1 ev n-1-2 a?b");
}

TEST(Reason, OtherTextsAreNotOurs) {
    EXPECT_FALSE(is_our_reason("bad DIMM"));
    EXPECT_FALSE(is_our_reason("ymir is broken"));
    for (const char* text : {"bad DIMM", "ym mlx5_3 down", "ym x job y ev z", "ym x job 1 e"}) {
        EXPECT_FALSE(parse_reason(text)) << text;
    }
}

}  // namespace
}  // namespace yardmaster
