#include "healthcheck/nccl/nccl_baseline.hpp"

#include <gtest/gtest.h>

#include "healthcheck/nccl/busbw_table.hpp"
#include "healthcheck/nccl/nccl_judge.hpp"
#include "tests/healthcheck/nccl_case.hpp"

namespace yardmaster {
namespace {

using testing::add_pass;
using testing::kNcclMiB;
using testing::nccl_reading;

constexpr double kMaxLoss = 0.08;

NcclConditions conditions() {
    return {"NVIDIA H100 80GB HBM3", 8, "", "550.54.15", "2.28.9", "", 1024 * kNcclMiB};
}

NcclBaselines learned(const std::vector<double>& values) {
    NcclBaselines baselines;
    for (const double value : values) {
        learn_busbw(conditions(), value, kMaxLoss, baselines);
    }
    return baselines;
}

double expected(const NcclBaselines& baselines) {
    return expected_busbw(baselines.all.at(0)).value_or(0);
}

TEST(NcclBaseline, IsTheMedianOfTheFirstRunsAndThenStays) {
    EXPECT_DOUBLE_EQ(expected(learned({450, 470, 460})), 460);
    EXPECT_DOUBLE_EQ(expected(learned({450, 470})), 460);
    const NcclBaselines full = learned({450, 470, 460, 455, 465, 440, 441, 442, 443, 444});
    EXPECT_EQ(full.all.at(0).busbw.size(), kNcclBaselineFull);
    EXPECT_DOUBLE_EQ(expected(full), 460);
}

TEST(NcclBaseline, DegradationNeverDrawsItDown) {
    NcclBaselines baselines = learned({460, 461, 462});
    for (int run = 0; run < 1000; ++run) {
        learn_busbw(conditions(), 391, kMaxLoss, baselines);
    }
    EXPECT_DOUBLE_EQ(expected(baselines), 461);
    // Nor by small steps, each of them within the limit of the one before.
    double value = 460;
    for (int run = 0; run < 1000; ++run, value *= 0.999) {
        learn_busbw(conditions(), value, kMaxLoss, baselines);
    }
    EXPECT_GE(expected(baselines), 459);
}

TEST(NcclBaseline, OneFromADegradedNodeIsReplacedOnceTheNodeIsMended) {
    NcclBaselines baselines = learned({390, 391, 392, 390, 391});
    learn_busbw(conditions(), 460, kMaxLoss, baselines);
    EXPECT_EQ(baselines.all.at(0).busbw, std::vector<double>{460});
}

TEST(NcclBaseline, SlowerSecondRunIsNotLearned) {
    // Which of the two was odd cannot be known: nothing is proven by so few, nothing is forgotten.
    const NcclBaselines baselines = learned({460, 391, 390});
    EXPECT_EQ(baselines.all.at(0).busbw, std::vector<double>{460});
}

TEST(NcclBaseline, EachConditionHasItsOwnAndTheOldestGo) {
    NcclBaselines baselines;
    NcclConditions other = conditions();
    for (unsigned i = 0; i < 2 * kNcclBaselinesKept; ++i) {
        other.driver = "550." + std::to_string(i);
        learn_busbw(other, 460, kMaxLoss, baselines);
    }
    EXPECT_EQ(baselines.all.size(), kNcclBaselinesKept);
    EXPECT_NE(find_baseline(baselines.all, other), nullptr);
    EXPECT_EQ(find_baseline(baselines.all, conditions()), nullptr);
}

TEST(NcclBaseline, ReadsWhatItWrote) {
    const NcclBaselines before = learned({460.125, 1.0 / 3 * 1380});
    const std::string text = to_json(before).dump_exact();
    const auto document = JsonDocument::parse(text);
    ASSERT_TRUE(document);
    NcclBaselines after;
    ASSERT_TRUE(from_json(document->root(), after));
    EXPECT_EQ(to_json(after).dump_exact(), text);
    EXPECT_EQ(after.all.at(0).conditions, conditions());
}

TEST(NcclLearning, TakesTheFirstPassOfACleanRun) {
    NcclReading reading = nccl_reading();
    add_pass(reading, 1024 * kNcclMiB, 1, 455);
    add_pass(reading, 1024 * kNcclMiB, 2, 470);
    NcclBaselines baselines;
    learn_from(reading, {}, baselines);
    ASSERT_EQ(baselines.all.size(), 1u);
    EXPECT_DOUBLE_EQ(expected(baselines), 455);
}

TEST(NcclLearning, TakesNothingFromARunInDoubt) {
    NcclReading reading = nccl_reading();
    add_pass(reading, 1024 * kNcclMiB, 1, 455);
    NcclBaselines baselines;
    Finding elsewhere;
    elsewhere.check = "gpu";
    elsewhere.verdict = Verdict::kDegraded;
    learn_from(reading, {elsewhere}, baselines);
    Finding own;
    own.check = "nccl";
    learn_from(reading, {own}, baselines);
    reading.attempts.back().sums = NcclSums::kNotChecked;
    learn_from(reading, {}, baselines);
    reading.attempts.back().sums = NcclSums::kRight;
    reading.attempts.back().ended = false;
    learn_from(reading, {}, baselines);
    EXPECT_TRUE(baselines.all.empty());
    reading.attempts.back().ended = true;
    elsewhere.verdict = Verdict::kUnknown;
    learn_from(reading, {elsewhere}, baselines);
    EXPECT_EQ(baselines.all.size(), 1u);
}

TEST(BusbwTable, KnowsWhatWasPublished) {
    EXPECT_EQ(published_busbw("NVIDIA A100-SXM4-80GB", 8, 256 * kNcclMiB), 222);
    EXPECT_EQ(published_busbw("NVIDIA H100 80GB HBM3", 8, 1024 * kNcclMiB), 370);
    EXPECT_EQ(published_busbw("NVIDIA H100 80GB HBM3", 4, 1024 * kNcclMiB), std::nullopt);
    EXPECT_EQ(published_busbw("NVIDIA H100 PCIe", 8, 1024 * kNcclMiB), std::nullopt);
    EXPECT_EQ(published_busbw("NVIDIA H200 NVL", 8, 1024 * kNcclMiB), std::nullopt);
}

}  // namespace
}  // namespace yardmaster
