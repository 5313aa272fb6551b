// How often the NCCL check is right: the calculation of docs/nccl.md, played.
#include <gtest/gtest.h>

#include <random>

#include "healthcheck/nccl/nccl_judge.hpp"
#include "tests/healthcheck/nccl_case.hpp"

namespace yardmaster {
namespace {

using testing::kNcclMiB;
using testing::nccl_reading;

/// A node whose windows have normal noise, and now and then a dip of a third.
class NoisyNode {
  public:
    NoisyNode(double noise, double dips, unsigned seed)
        : random_(seed), noise_(1, noise), dips_(dips) {}

    /// One run of the probe: three sizes, two passes, four windows each.
    NcclReading run(double share) {
        NcclReading reading = nccl_reading();
        for (unsigned pass = 1; pass <= 2; ++pass) {
            for (const auto& [mib, busbw] : kSizes) {
                reading.attempts.back().sizes.push_back(
                    {mib * kNcclMiB, pass, 4, windows(busbw * share)});
            }
        }
        return reading;
    }
    /// What `runs` healthy runs leave behind.
    NcclBaselines learned(unsigned runs) {
        NcclBaselines baselines;
        for (unsigned i = 0; i < runs; ++i) {
            learn_from(run(1), {}, baselines);
        }
        return baselines;
    }

  private:
    static constexpr std::pair<std::uint64_t, double> kSizes[] = {
        {64, 295}, {256, 415}, {1024, 462}};

    std::vector<double> windows(double busbw) {
        std::vector<double> values;
        for (int i = 0; i < 4; ++i) {
            values.push_back(busbw * noise_(random_) * (chance_(random_) < dips_ ? 2.0 / 3 : 1));
        }
        return values;
    }

    std::mt19937 random_;
    std::normal_distribution<double> noise_;
    std::uniform_real_distribution<double> chance_{0, 1};
    double dips_;
};

/// Of `readings` runs, each against one of `nodes` baselines of `runs` runs: how many would drain.
unsigned drains(double noise, double share, unsigned runs, unsigned readings) {
    constexpr unsigned kReadingsPerNode = 100;
    NoisyNode node(noise, 0.05, 1);
    unsigned drained = 0;
    NcclBaselines baselines;
    for (unsigned i = 0; i < readings; ++i) {
        if (i % kReadingsPerNode == 0) {
            baselines = node.learned(runs);
        }
        NcclReading reading = node.run(share);
        reading.baselines = baselines.all;
        drained += combine(judge_nccl(reading)) == Verdict::kDegraded ? 1 : 0;
    }
    return drained;
}

TEST(NcclStatistics, NoHealthyReadingOfAHundredThousandDrains) {
    EXPECT_EQ(drains(0.02, 1, kNcclBaselineLeast, 100000), 0u);
}

TEST(NcclStatistics, LossOfFifteenPercentIsFound) {
    EXPECT_GE(drains(0.02, 0.85, kNcclBaselineLeast, 10000), 9900u);
    EXPECT_GE(drains(0.03, 0.85, kNcclBaselineFull, 10000), 9500u);
}

TEST(NcclStatistics, LossBelowTheNoiseIsLeftAlone) {
    EXPECT_EQ(drains(0.02, 0.98, kNcclBaselineLeast, 10000), 0u);
}

}  // namespace
}  // namespace yardmaster
