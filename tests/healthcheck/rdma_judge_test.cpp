#include "healthcheck/rdma/rdma_judge.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "healthcheck/rdma/payload_rate.hpp"

namespace yardmaster {
namespace {

constexpr double kNdrPayload = 400 * 4096.0 / (4096 + 26);

RdmaEndReading end_of(const std::string& device) {
    RdmaEndReading end;
    end.port = {device, 1};
    end.rate = "400 Gb/sec (4X NDR)";
    end.firmware = "28.39.1002";
    end.mtu_bytes = 4096;
    end.memory = "host";
    end.pcie_gbps = 460;
    return end;
}

RdmaPairReading pair_of(unsigned from, unsigned to, double gbps, unsigned attempt = 1) {
    RdmaPairReading pair;
    pair.from = end_of("mlx5_" + std::to_string(from));
    pair.to = end_of("mlx5_" + std::to_string(to));
    pair.attempt = attempt;
    pair.outcome = RdmaOutcome::kMeasured;
    pair.message_bytes = 1 << 20;
    pair.gbps = {gbps * 0.97, gbps, gbps * 0.98};
    return pair;
}

RdmaReading ring(std::vector<double> gbps) {
    RdmaReading reading;
    reading.asked = reading.ended = true;
    reading.max_loss = 0.08;
    reading.min_share = 0.90;
    for (unsigned i = 0; i < gbps.size(); ++i) {
        reading.pairs.push_back(pair_of(i, (i + 1) % static_cast<unsigned>(gbps.size()), gbps[i]));
    }
    return reading;
}

/// Adds a second attempt in which every pair that is to be measured again has `gbps`.
void measure_again(RdmaReading& reading, double gbps) {
    for (const RdmaPair& pair : pairs_to_measure_again(reading)) {
        RdmaPairReading again = pair_of(0, 0, gbps, 2);
        again.from.port = pair.from;
        again.to.port = pair.to;
        reading.pairs.push_back(again);
    }
}

void give_past(RdmaReading& reading, double gbps) {
    for (const RdmaPairReading& pair : reading.pairs) {
        reading.baseline.push_back(
            {pair_name(pair.pair()), conditions_of(pair), {gbps, gbps * 1.01, gbps * 0.99}});
    }
}

std::string said(const RdmaReading& reading) {
    std::string text;
    for (const Finding& finding : judge_rdma(reading)) {
        text += finding.object + " " + finding.sign + " " + finding.short_text +
                (is_proven(finding) ? " proven" : "") + "; ";
    }
    return text;
}

TEST(RdmaJudge, HealthyRingYieldsNothing) {
    EXPECT_EQ(said(ring({396, 398, 397, 395})), "");
    EXPECT_EQ(judge_rdma(RdmaReading{}).size(), 0u);
}

TEST(RdmaJudge, OneBadMeasurementIsOneSign) {
    const RdmaReading reading = ring({397, 338, 338, 397});
    EXPECT_EQ(said(reading), "mlx5_2 rdma.bandwidth bw 338/397; ");
    EXPECT_EQ(combine(judge_rdma(reading)), Verdict::kUnknown);
}

TEST(RdmaJudge, TheSameTwiceIsProof) {
    RdmaReading reading = ring({397, 338, 338, 397});
    measure_again(reading, 338);
    EXPECT_EQ(said(reading), "mlx5_2 rdma.bandwidth bw 338/397 proven; ");
    EXPECT_EQ(combine(judge_rdma(reading)), Verdict::kDegraded);
}

TEST(RdmaJudge, GoodWhenMeasuredAgainIsGood) {
    RdmaReading reading = ring({397, 338, 338, 397});
    measure_again(reading, 396);
    EXPECT_EQ(said(reading), "");
}

TEST(RdmaJudge, TwoRailsAreBothNamed) {
    RdmaReading reading = ring({300, 301});
    give_past(reading, 397);
    measure_again(reading, 300);
    EXPECT_EQ(said(reading),
              "mlx5_0 rdma.bandwidth bw 300/397 proven; mlx5_1 rdma.bandwidth bw 300/397 proven; ");
    EXPECT_NE(judge_rdma(reading).at(0).detail.find("either end"), std::string::npos);
}

TEST(RdmaJudge, ThirdPortsTellWhichEndOfALonelyBadPairItIs) {
    RdmaReading reading = ring({397, 330, 397, 397});  // mlx5_1 > mlx5_2
    const auto again = pairs_to_measure_again(reading);
    ASSERT_EQ(again.size(), 3u);
    EXPECT_EQ(pair_name(again[0]), "mlx5_1>mlx5_2");
    EXPECT_EQ(pair_name(again[1]), "mlx5_1>mlx5_0");
    EXPECT_EQ(pair_name(again[2]), "mlx5_0>mlx5_2");
    reading.pairs.push_back(pair_of(1, 2, 331, 2));
    reading.pairs.push_back(pair_of(1, 0, 329, 2));  // what mlx5_1 sends is slow
    reading.pairs.push_back(pair_of(0, 2, 397, 2));
    EXPECT_EQ(said(reading), "mlx5_1 rdma.bandwidth bw 330/397 proven; ");
}

TEST(RdmaJudge, NodeThatIsSlowAllOverIsUnknownUntilItHasAPast) {
    RdmaReading reading = ring({250, 251, 249, 250});
    EXPECT_EQ(combine(judge_rdma(reading)), Verdict::kUnknown);
    EXPECT_TRUE(pairs_to_measure_again(reading).empty());
    EXPECT_TRUE(learned_from(reading).pairs.empty()) << "a slow start is no baseline";
}

TEST(RdmaJudge, PcieThatIsSlowerThanThePortIsJudgedByThePastOnly) {
    RdmaReading reading = ring({220, 221, 219, 397});
    for (RdmaPairReading& pair : reading.pairs) {
        pair.from.pcie_gbps = 230;
    }
    EXPECT_EQ(said(reading), "");
    give_past(reading, 300);
    EXPECT_NE(said(reading), "");
}

TEST(RdmaJudge, PastUnderOtherConditionsDoesNotCount) {
    RdmaReading reading = ring({197, 197, 198, 197});
    give_past(reading, 397);
    for (RdmaPairReading& pair : reading.pairs) {
        pair.from.rate = pair.to.rate = "200 Gb/sec (4X HDR)";
    }
    EXPECT_EQ(said(reading), "") << "the rate itself is the port check's business";
}

TEST(RdmaJudge, SelfLoopIsHeldToItsOwnPastOnly) {
    RdmaReading reading = ring({200});
    ASSERT_TRUE(reading.pairs[0].pair().self_loop());
    EXPECT_EQ(said(reading), "");
    give_past(reading, 300);
    measure_again(reading, 200);
    EXPECT_EQ(said(reading), "mlx5_0 rdma.bandwidth bw 200/300 proven; ");
}

RdmaPairReading silent(RdmaPairReading pair) {
    pair.outcome = RdmaOutcome::kUnreachable;
    pair.wc_status = 12;  // IBV_WC_RETRY_EXC_ERR
    pair.gbps.clear();
    return pair;
}

TEST(RdmaJudge, NoAnswerIsDegradedOnlyWhereThereWasOne) {
    RdmaReading reading = ring({397, 397, 397, 397});
    reading.pairs[1] = silent(reading.pairs[1]);
    reading.pairs[2] = silent(reading.pairs[2]);
    EXPECT_EQ(combine(judge_rdma(reading)), Verdict::kUnknown);
    give_past(reading, 397);
    EXPECT_NE(said(reading).find("mlx5_2 rdma.unreachable no answer; "), std::string::npos);
    reading.pairs.push_back(silent(pair_of(1, 2, 0, 2)));
    reading.pairs.push_back(silent(pair_of(2, 3, 0, 2)));
    EXPECT_EQ(said(reading), "mlx5_2 rdma.unreachable no answer proven; ");
}

TEST(RdmaJudge, SiteWithoutRoutableGidsIsNotDegraded) {
    RdmaReading reading = ring({397, 397, 397, 397});
    for (RdmaPairReading& pair : reading.pairs) {
        pair.from.gid_scope = pair.to.gid_scope = "none";
        pair.outcome = RdmaOutcome::kNoGid;
        pair.failed_port = port_name(pair.from.port);
    }
    EXPECT_EQ(combine(judge_rdma(reading)), Verdict::kUnknown);
}

TEST(RdmaJudge, NotRunIsAFindingOnlyWhereItIsNeeded) {
    RdmaReading reading;
    reading.asked = true;
    reading.not_run = "libibverbs.so.1: cannot open shared object file";
    EXPECT_TRUE(judge_rdma(reading).empty());
    reading.needed = true;
    EXPECT_EQ(said(reading), " rdma.not-run ; ");
}

TEST(RdmaJudge, HungProbeIsUnknownAndSaysWhere) {
    RdmaReading reading = ring({397, 397});
    reading.ended = false;
    reading.step = "open mlx5_3";
    ASSERT_EQ(judge_rdma(reading).size(), 1u);
    EXPECT_EQ(combine(judge_rdma(reading)), Verdict::kUnknown);
    EXPECT_NE(judge_rdma(reading)[0].detail.find("mlx5_3"), std::string::npos);
}

TEST(RdmaBaselines, KeepTheNewestAndStartAnewUnderOtherConditions) {
    RdmaBaselines baselines;
    for (unsigned i = 0; i < 20; ++i) {
        learn("a>b", "x", i, baselines);
    }
    ASSERT_EQ(baselines.pairs.size(), 1u);
    EXPECT_EQ(baselines.pairs[0].gbps.size(), kBaselineMost);
    EXPECT_EQ(baselines.pairs[0].gbps.back(), 19);
    learn("a>b", "y", 5, baselines);
    EXPECT_EQ(baselines.pairs[0].gbps, std::vector<double>{5});
}

/// Readings as a noisy fabric gives them: each window is off by 1.5 %, and every tenth loses up to
/// 60 % to the traffic of others.
class NoisyFabric {
  public:
    explicit NoisyFabric(unsigned seed) : random_(seed) {}

    RdmaPairReading measure(RdmaPairReading pair, double rate) {
        pair.gbps.clear();
        for (unsigned window = 0; window < 4; ++window) {
            const double dip = std::bernoulli_distribution(0.1)(random_)
                                   ? std::uniform_real_distribution<>(0.4, 0.9)(random_)
                                   : 1;
            pair.gbps.push_back(rate * dip * std::normal_distribution<>(1, 0.015)(random_));
        }
        return pair;
    }

    /// A run over a ring of four whose port 2 carries `share`, with its second attempt.
    RdmaReading run(double share, std::vector<RdmaBaseline> past) {
        RdmaReading reading = ring({0, 0, 0, 0});
        reading.baseline = std::move(past);
        for (RdmaPairReading& pair : reading.pairs) {
            pair = measure(pair, rate_of(pair.pair(), share));
        }
        for (const RdmaPair& again : pairs_to_measure_again(reading)) {
            RdmaPairReading pair = pair_of(0, 0, 0, 2);
            pair.from.port = again.from;
            pair.to.port = again.to;
            reading.pairs.push_back(measure(pair, rate_of(again, share)));
        }
        return reading;
    }

    std::vector<RdmaBaseline> past(unsigned runs) {
        std::vector<RdmaBaseline> baselines;
        for (unsigned i = 0; i < runs; ++i) {
            baselines = learned_from(run(1, baselines)).pairs;
        }
        return baselines;
    }

  private:
    static double rate_of(const RdmaPair& pair, double share) {
        const bool slow = pair.from.device == "mlx5_2" || pair.to.device == "mlx5_2";
        return kNdrPayload * (slow ? share : 1);
    }

    std::mt19937 random_;
};

TEST(RdmaNoise, NoHealthyReadingOfOneHundredThousandIsDegraded) {
    NoisyFabric fabric(1);
    std::vector<RdmaBaseline> past;
    for (unsigned readings = 0; readings < 100000; readings += 4) {
        const RdmaReading reading = fabric.run(1, past);
        ASSERT_NE(combine(judge_rdma(reading)), Verdict::kDegraded) << said(reading);
        past = learned_from(reading).pairs;
    }
}

TEST(RdmaNoise, LossOfFifteenPercentIsFoundWithAndWithoutAPast) {
    for (const unsigned runs : {0U, 9U}) {
        NoisyFabric fabric(2);
        const auto past = fabric.past(runs);
        unsigned found = 0;
        constexpr unsigned kTries = 1000;
        for (unsigned i = 0; i < kTries; ++i) {
            const auto findings = judge_rdma(fabric.run(0.85, past));
            const Finding* first = primary(findings);
            found += first != nullptr && is_proven(*first) && first->object == "mlx5_2" ? 1 : 0;
        }
        EXPECT_GE(found, kTries * 95 / 100) << runs;
    }
}

}  // namespace
}  // namespace yardmaster
