#include "healthcheck/rdma/rdma_plan.hpp"

#include <gtest/gtest.h>

namespace yardmaster {
namespace {

std::vector<RdmaPort> ports(unsigned count) {
    std::vector<RdmaPort> all;
    for (unsigned i = 0; i < count; ++i) {
        all.push_back({"mlx5_" + std::to_string(i), 1});
    }
    return all;
}

std::string names(const std::vector<RdmaPair>& pairs) {
    std::string text;
    for (const RdmaPair& pair : pairs) {
        text += pair_name(pair) + " ";
    }
    return text;
}

TEST(RdmaRing, EveryPortSendsOnceAndReceivesOnce) {
    EXPECT_EQ(names(ring_of(ports(3))), "mlx5_0>mlx5_1 mlx5_1>mlx5_2 mlx5_2>mlx5_0 ");
}

TEST(RdmaRing, OnePortLoopsOntoItselfAndNoneIsNoRing) {
    ASSERT_EQ(ring_of(ports(1)).size(), 1u);
    EXPECT_TRUE(ring_of(ports(1)).front().self_loop());
    EXPECT_TRUE(ring_of({}).empty());
}

TEST(RdmaRounds, EvenRingTakesTwoAndOddThree) {
    EXPECT_EQ(rounds_of(ring_of(ports(8))).size(), 2u);
    EXPECT_EQ(rounds_of(ring_of(ports(7))).size(), 3u);
    EXPECT_EQ(rounds_of(ring_of(ports(2))).size(), 2u);
}

TEST(RdmaRounds, NoPortHasTwoPairsInARound) {
    for (const auto& round : rounds_of(ring_of(ports(7)))) {
        std::vector<std::string> seen;
        for (const RdmaPair& pair : round) {
            seen.push_back(port_name(pair.from));
            seen.push_back(port_name(pair.to));
        }
        std::sort(seen.begin(), seen.end());
        EXPECT_EQ(std::adjacent_find(seen.begin(), seen.end()), seen.end());
    }
}

TEST(RdmaPortName, RoundTrips) {
    for (const char* text : {"mlx5_3", "mlx5_3:2", "rocep144s0f0", "bnxt_re-bond.1"}) {
        const auto port = parse_rdma_port(text);
        ASSERT_TRUE(port) << text;
        EXPECT_EQ(port_name(*port), text);
    }
}

TEST(RdmaPortName, WhatCouldLeaveTheFolderIsRefused) {
    for (const std::string text : {"",
                                   "..",
                                   ".hidden",
                                   "../mlx5_0",
                                   "a/b",
                                   "mlx5_0:0",
                                   "mlx5_0:256",
                                   "mlx5_0:x",
                                   "-v",
                                   "mlx5 0",
                                   "mlx5_0:1:2"}) {
        EXPECT_FALSE(parse_rdma_port(text)) << text;
    }
    EXPECT_FALSE(parse_rdma_port(std::string(64, 'a')));
}

}  // namespace
}  // namespace yardmaster
