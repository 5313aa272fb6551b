// Healthy readings by the hundred thousand drain nothing; a certain fault among them always does.
#include <gtest/gtest.h>

#include <algorithm>

#include "healthcheck/judge.hpp"
#include "tests/faults/certain_faults.hpp"
#include "tests/faults/matrix_node.hpp"

namespace yardmaster::faults {
namespace {

constexpr std::uint64_t kSeed = 20260117;
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr int kHealthyOfAModel = 500;
constexpr int kPlantedOfAFault = 50;
#else
constexpr int kHealthyOfAModel = 14286;  // 100,000 on seven models
constexpr int kPlantedOfAFault = 400;
#endif

std::string text_of(const std::vector<Finding>& findings) {
    std::string text;
    for (const Finding& finding : findings) {
        text += sentence_of(finding) + " [" + finding.sign + "]; ";
    }
    return text;
}

/// Drawn by kSeed; bench/random_bench draws by any.
class RandomNodes : public ::testing::TestWithParam<sim::SimModel> {
  protected:
    RandomNodes() {
        const MatrixNode node(GetParam());
        const Status status = node.create();
        EXPECT_TRUE(status) << status.message();
        base_ = node.look(Looking::kPassive).report;
        EXPECT_EQ(base_.verdict, Verdict::kHealthy);
        RecordProperty("seed", std::to_string(kSeed));
    }

    Report base_;
};

TEST_P(RandomNodes, HealthyOnesAreNeverDrained) {
    RandomReadings random(base_, kSeed);
    int unread = 0;
    for (int i = 0; i < kHealthyOfAModel; ++i) {
        Drawn drawn = random.draw();
        if (random.chance(0.5)) {
            random.draw_rates(drawn);
        }
        const auto findings = judge(drawn.scope, drawn.readings);
        const Verdict verdict = combine(findings);
        unread += drawn.all_read ? 0 : 1;
        ASSERT_NE(verdict, Verdict::kDegraded)
            << "seed " << kSeed << " #" << i << text_of(findings);
        ASSERT_TRUE(verdict == Verdict::kHealthy || !drawn.all_read)
            << "seed " << kSeed << " #" << i << text_of(findings);
    }
    EXPECT_LT(unread, kHealthyOfAModel / 2) << "too few are read whole to tell anything";
}

void expect_found(const CertainFault& fault, RandomReadings& random) {
    for (int i = 0; i < kPlantedOfAFault; ++i) {
        Drawn drawn = random.draw();
        const Planted planted = fault.plant(random, drawn);
        const auto findings = judge(drawn.scope, drawn.readings);
        const bool named = std::any_of(findings.begin(), findings.end(), [&](const Finding& f) {
            return f.object == planted.object && f.sign == planted.sign && is_proven(f);
        });
        ASSERT_EQ(combine(findings), Verdict::kDegraded) << fault.name << " #" << i;
        ASSERT_TRUE(named) << fault.name << " of " << planted.object << ": " << text_of(findings);
    }
}

TEST_P(RandomNodes, CertainFaultsAreAlwaysFound) {
    RandomReadings random(base_, kSeed);
    for (const CertainFault& fault : certain_faults()) {
        if (fault.exists(GetParam())) {
            expect_found(fault, random);
        }
    }
}

/// At least 95 % of the losses of 15 % and more, whoever the other rails are.
TEST_P(RandomNodes, BandwidthLossIsFound) {
    RandomReadings random(base_, kSeed);
    int found = 0;
    for (int i = 0; i < kPlantedOfAFault; ++i) {
        Drawn drawn = random.draw();
        drawn.scope = base_.scope;
        drawn.readings.ports = base_.readings.ports;
        const std::string slow = drawn.scope.rails[random.pick(drawn.scope.rails.size())].device;
        random.draw_rates(drawn, slow, random.uniform(0.5, 0.85));
        const auto findings = judge(drawn.scope, drawn.readings);
        const Finding* first = primary(findings);
        found += combine(findings) == Verdict::kDegraded && first->object == slow ? 1 : 0;
    }
    EXPECT_GE(found, kPlantedOfAFault * 95 / 100);
}

INSTANTIATE_TEST_SUITE_P(AllModels,
                         RandomNodes,
                         ::testing::ValuesIn(sim::sim_models()),
                         [](const auto& info) {
                             std::string name(info.param.name);
                             std::replace(name.begin(), name.end(), '-', '_');
                             return name;
                         });

}  // namespace
}  // namespace yardmaster::faults
