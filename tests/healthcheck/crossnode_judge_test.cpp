#include <gtest/gtest.h>

#include <random>

#include "healthcheck/crossnode/cross_judge.hpp"
#include "tests/healthcheck/crossnode_case.hpp"

namespace yardmaster {
namespace {

using Names = std::set<std::string>;

std::string signs(const CrossReading& reading, const std::string& node) {
    std::string text;
    for (const Finding& finding : judge_cross(reading, node)) {
        text += (text.empty() ? "" : " ") + std::string(to_string(finding.verdict)) + ":" +
                finding.sign;
    }
    return text;
}

TEST(CrossJudge, HealthyNodesHaveNoFinding) {
    const auto reading = cross_meeting(cross_ports(8, 8, 4), dead_ports({}));
    for (const CrossPeer& peer : reading.peers) {
        EXPECT_EQ(signs(reading, peer.node), "");
    }
}

TEST(CrossJudge, DeadPortIsNamedOnItsOwnNodeOnly) {
    for (const unsigned nodes : {3U, 4U, 5U, 16U}) {
        for (const unsigned rails : {1U, 8U}) {
            const auto reading =
                cross_meeting(cross_ports(nodes, rails, 32), dead_ports({"n1 mlx5_0"}));
            EXPECT_EQ(cross_culprits(reading), Names{"n1 mlx5_0"}) << nodes << " x " << rails;
            EXPECT_EQ(signs(reading, "n0"), "");
            EXPECT_EQ(signs(reading, "n2"), "");
        }
    }
}

TEST(CrossJudge, TwoNodesWithJoinedRailsAreEachOthersThirdParties) {
    const auto reading = cross_meeting(cross_ports(2, 2, 32), dead_ports({"n1 mlx5_0"}));
    EXPECT_EQ(cross_culprits(reading), Names{"n1 mlx5_0"});
}

TEST(CrossJudge, TwoNodesWithSeparateRailsCannotDecide) {
    const auto reading =
        cross_meeting(cross_ports(2, 2, 32), [](const CrossPort& from, const CrossPort& to) {
            return from.rail != to.rail || from.rail == 0 ? cross_failed(RdmaOutcome::kUnreachable)
                                                          : cross_measured(kGoodGbps);
        });
    EXPECT_EQ(cross_culprits(reading), Names{});
    EXPECT_EQ(signs(reading, "n0"), "unknown:crossnode.undecided");
    EXPECT_EQ(signs(reading, "n1"), "unknown:crossnode.undecided");
}

TEST(CrossJudge, OneDirectionIsEnough) {
    const CrossFate deaf = [](const CrossPort&, const CrossPort& to) {
        return port_name(to) == "n2 mlx5_1" ? cross_failed(RdmaOutcome::kBroken)
                                            : cross_measured(kGoodGbps);
    };
    const auto reading = cross_meeting(cross_ports(4, 2, 32), deaf);
    EXPECT_EQ(cross_culprits(reading), Names{"n2 mlx5_1"});
    EXPECT_EQ(signs(reading, "n2"), "degraded:crossnode.completion");
}

TEST(CrossJudge, BadPairOfGoodPortsIsNobodysFault) {
    const CrossFate cut = [](const CrossPort& from, const CrossPort& to) {
        return port_name(from) == "n0 mlx5_0" && port_name(to) == "n1 mlx5_0"
                   ? cross_failed(RdmaOutcome::kUnreachable)
                   : cross_measured(kGoodGbps);
    };
    const auto reading = cross_meeting(cross_ports(4, 1, 32), cut);
    EXPECT_EQ(cross_culprits(reading), Names{});
    EXPECT_EQ(signs(reading, "n0"), "unknown:crossnode.pair");
    EXPECT_EQ(signs(reading, "n1"), "unknown:crossnode.pair");
    EXPECT_EQ(signs(reading, "n2"), "");
}

TEST(CrossJudge, WhatIsGoodAgainIsNoFinding) {
    unsigned calls = 0;
    const auto reading =
        cross_meeting(cross_ports(4, 1, 32), [&](const CrossPort&, const CrossPort&) {
            return ++calls == 1 ? cross_failed(RdmaOutcome::kUnreachable)
                                : cross_measured(kGoodGbps);
        });
    EXPECT_EQ(signs(reading, "n0"), "");
    EXPECT_EQ(signs(reading, "n1"), "");
}

TEST(CrossJudge, LeafSwitchIsNoNodesFault) {
    const CrossFate leaf = [](const CrossPort& from, const CrossPort& to) {
        const bool bad =
            (from.leaf == "leaf0" && from.rail == 1) || (to.leaf == "leaf0" && to.rail == 1);
        return bad ? cross_failed(RdmaOutcome::kUnreachable) : cross_measured(kGoodGbps);
    };
    const auto reading = cross_meeting(cross_ports(8, 2, 2), leaf);
    EXPECT_EQ(cross_culprits(reading), Names{});
    bool named = false;
    for (const Finding& finding : judge_cross(reading, "n0")) {
        named = named || finding.detail.find("leaf switch of rail 1 in leaf0") != std::string::npos;
    }
    EXPECT_TRUE(named);
}

TEST(CrossJudge, TwoBadPortsOfAFullLeafSwitchAreTheNodesOwn) {
    const auto reading =
        cross_meeting(cross_ports(8, 1, 8), dead_ports({"n1 mlx5_0", "n5 mlx5_0"}));
    EXPECT_EQ(cross_culprits(reading), (Names{"n1 mlx5_0", "n5 mlx5_0"}));
}

CrossFate slow_port(const std::string& slow, double share) {
    return [=](const CrossPort& from, const CrossPort& to) {
        const bool meets = port_name(from) == slow || port_name(to) == slow;
        return cross_measured(kGoodGbps * (meets ? share : 1));
    };
}

TEST(CrossJudge, SlowPortIsFoundInsideItsLeafGroup) {
    EXPECT_EQ(cross_culprits(cross_meeting(cross_ports(4, 2, 4), slow_port("n2 mlx5_1", 0.5))),
              Names{"n2 mlx5_1"});
    EXPECT_EQ(cross_culprits(cross_meeting(cross_ports(4, 2, 4), slow_port("n2 mlx5_1", 0.9))),
              Names{});
}

TEST(CrossJudge, SlowAcrossLeafGroupsIsUnknown) {
    const auto reading = cross_meeting(cross_ports(4, 2, 1), slow_port("n2 mlx5_1", 0.5));
    EXPECT_EQ(cross_culprits(reading), Names{});
    EXPECT_EQ(signs(reading, "n2"), "unknown:crossnode.bandwidth");
}

TEST(CrossJudge, AbsentPeersAndFailuresAreUnknown) {
    auto reading = cross_meeting(cross_ports(3, 1, 8), dead_ports({}));
    reading.peers.push_back({"n9", false, ""});
    reading.edges[1].measured = cross_failed(RdmaOutcome::kFailed);
    EXPECT_EQ(signs(reading, "n0"), "unknown:crossnode.peers");
    EXPECT_EQ(signs(reading, "n1"), "unknown:crossnode.setup unknown:crossnode.peers");
}

TEST(CrossJudge, ProbeWithoutAnEndIsUnknown) {
    CrossReading reading;
    reading.asked = true;
    reading.step = "connect";
    EXPECT_EQ(signs(reading, "n0"), "unknown:crossnode.outstanding");
    reading.not_run = "the job has 100 nodes";
    EXPECT_EQ(signs(reading, "n0"), "");
    reading.needed = true;
    EXPECT_EQ(signs(reading, "n0"), "unknown:crossnode.not-run");
}

/// Any healthy fabric, any bad ports, pairs and slow ways: a port that is not bad is never blamed.
TEST(CrossJudge, HealthyPortsAreNeverBlamedAtRandom) {
    std::mt19937 random(1);
    const auto pick = [&](unsigned below) {
        return std::uniform_int_distribution<unsigned>(0, below - 1)(random);
    };
    unsigned blamed = 0;
    for (unsigned round = 0; round < 2000; ++round) {
        const auto ports = cross_ports(2 + pick(12), 1 + pick(8), 1 + pick(8));
        Names dead;
        for (unsigned count = pick(3); count > 0; --count) {
            dead.insert(port_name(ports[pick(static_cast<unsigned>(ports.size()))]));
        }
        const std::string cut_from = port_name(ports[pick(static_cast<unsigned>(ports.size()))]);
        const std::string cut_to = port_name(ports[pick(static_cast<unsigned>(ports.size()))]);
        const bool separate = pick(2) == 0;
        const double spine = 0.3 + 0.1 * pick(8);
        const CrossFate all_dead = dead_ports(dead);
        const auto reading = cross_meeting(ports, [&](const CrossPort& from, const CrossPort& to) {
            const bool cut = port_name(from) == cut_from && port_name(to) == cut_to;
            if (cut || (separate && from.rail != to.rail)) {
                return cross_failed(RdmaOutcome::kUnreachable);
            }
            auto measured = all_dead(from, to);
            if (measured.outcome == RdmaOutcome::kMeasured && from.leaf != to.leaf) {
                measured = cross_measured(kGoodGbps * spine);
            }
            return measured;
        });
        for (const std::string& culprit : cross_culprits(reading)) {
            EXPECT_TRUE(dead.contains(culprit)) << culprit << " in round " << round;
            ++blamed;
        }
    }
    EXPECT_GT(blamed, 500U);
}

}  // namespace
}  // namespace yardmaster
