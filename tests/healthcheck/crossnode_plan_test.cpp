#include <gtest/gtest.h>

#include "healthcheck/crossnode/cross_plan.hpp"
#include "tests/healthcheck/crossnode_case.hpp"

namespace yardmaster {
namespace {

std::string name(const CrossEdge& edge) {
    return port_name(edge.from) + ">" + port_name(edge.to);
}

std::vector<std::string> names(const std::vector<CrossEdge>& edges) {
    std::vector<std::string> all;
    for (const CrossEdge& edge : edges) {
        all.push_back(name(edge));
    }
    return all;
}

TEST(CrossPlan, EachRailIsARing) {
    const auto edges = ring_edges(cross_ports(3, 2, 8));
    EXPECT_EQ(names(edges),
              (std::vector<std::string>{"n0 mlx5_0>n1 mlx5_0",
                                        "n1 mlx5_0>n2 mlx5_0",
                                        "n2 mlx5_0>n0 mlx5_0",
                                        "n0 mlx5_1>n1 mlx5_1",
                                        "n1 mlx5_1>n2 mlx5_1",
                                        "n2 mlx5_1>n0 mlx5_1"}));
    EXPECT_EQ(cross_rounds(edges).size(), 1U);
}

TEST(CrossPlan, OneNodeHasNoEdges) {
    EXPECT_TRUE(ring_edges(cross_ports(1, 8, 8)).empty());
    EXPECT_TRUE(ring_edges({}).empty());
}

TEST(CrossPlan, RailsOfOneNodeOnlyMeetOtherRails) {
    std::vector<CrossPort> ports;
    for (unsigned rail = 0; rail < 4; ++rail) {
        const std::string device = "mlx5_" + std::to_string(rail);
        ports.push_back({rail < 2 ? "a" : "b", {device, 1}, rail, "leaf0"});
    }
    EXPECT_EQ(
        names(ring_edges(ports)),
        (std::vector<std::string>{
            "a mlx5_0>b mlx5_2", "b mlx5_2>a mlx5_1", "a mlx5_1>b mlx5_3", "b mlx5_3>a mlx5_0"}));
}

TEST(CrossPlan, HealthyRingAsksNobody) {
    const auto reading = cross_meeting(cross_ports(4, 8, 2), dead_ports({}));
    EXPECT_EQ(reading.edges.size(), 32U);
}

TEST(CrossPlan, ThirdPartyIsOfTheSameLeafGroupAndRailFirst) {
    const auto reading = cross_meeting(cross_ports(8, 2, 4), dead_ports({"n1 mlx5_0"}));
    unsigned asked = 0;
    for (const CrossEdge& edge : reading.edges) {
        if (edge.purpose == CrossPurpose::kSender || edge.purpose == CrossPurpose::kReceiver) {
            EXPECT_EQ(edge.from.leaf, "leaf0") << name(edge);
            EXPECT_EQ(edge.from.rail, edge.to.rail) << name(edge);
            EXPECT_EQ(edge.to.leaf, "leaf0") << name(edge);
            ++asked;
        }
    }
    EXPECT_EQ(asked, 4U);
}

TEST(CrossPlan, NoPortSendsOrReceivesTwiceInARound) {
    const auto reading =
        cross_meeting(cross_ports(6, 3, 3), dead_ports({"n1 mlx5_0", "n4 mlx5_2"}));
    for (const auto& round : cross_rounds(reading.edges)) {
        std::set<std::string> senders;
        std::set<std::string> receivers;
        for (const std::size_t edge : round) {
            EXPECT_TRUE(senders.insert(port_name(reading.edges[edge].from)).second);
            EXPECT_TRUE(receivers.insert(port_name(reading.edges[edge].to)).second);
        }
    }
}

}  // namespace
}  // namespace yardmaster
