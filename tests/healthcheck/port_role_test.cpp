#include "healthcheck/port/port_role.hpp"

#include <gtest/gtest.h>

#include "healthcheck/port/address_judge.hpp"

namespace yardmaster {
namespace {

PortIdentity identity(const std::string& device) {
    PortIdentity port;
    port.device = device;
    port.pci = "0000:13:00.0";
    port.link_layer = "InfiniBand";
    port.phys_state = "5: LinkUp";
    return port;
}

TEST(PortRole, FabricFileGoesFirst) {
    PortIdentity port = identity("mlx5_0");
    port.default_route = true;
    EXPECT_EQ(role_of(port, {"mlx5_0"}), PortRole::kRail);
    EXPECT_EQ(role_of(port, {}), PortRole::kDefaultRoute);
}

TEST(PortRole, WhatTheNodeShowsTellsTheOthers) {
    PortIdentity port = identity("mlx5_8");
    EXPECT_EQ(role_of(port, {}), PortRole::kStorage);
    port.link_layer = "Ethernet";
    EXPECT_EQ(role_of(port, {}), PortRole::kManagement);
    port.phys_state = "3: Disabled";
    EXPECT_EQ(role_of(port, {}), PortRole::kUnprovisioned);
    port.bond = "bond0";
    EXPECT_EQ(role_of(port, {}), PortRole::kBond);
    port.physical = "0000:13:00.0";
    EXPECT_EQ(role_of(port, {}), PortRole::kVirtualFunction);
    EXPECT_FALSE(can_be_rail(PortRole::kVirtualFunction));
}

TEST(PortRole, VirtualFunctionsAreCountedWithTheirPhysicalOne) {
    std::vector<PortIdentity> ports = {identity("mlx5_0"), identity("mlx5_8")};
    ports[1].pci = "0000:93:00.0";
    for (int i = 0; i < 16; ++i) {
        ports.push_back(identity("mlx5_" + std::to_string(20 + i)));
        ports.back().physical = "0000:13:00.0";
    }
    EXPECT_EQ(describe_roles(ports, {"mlx5_0"}),
              "mlx5_0 rail (16 virtual functions), mlx5_8 storage");
}

PortReading roce() {
    PortReading port;
    port.device = "mlx5_0";
    port.link_layer = "Ethernet";
    port.netdev = "eth0";
    port.operstate = "up";
    port.gids = {{{1, "fe80:0000:0000:0000:0000:0000:0000:0001", "RoCE v2"},
                  {2, "0000:0000:0000:0000:0000:ffff:0a00:0001", "IB/RoCE v1"},
                  {3, "0000:0000:0000:0000:0000:ffff:0a00:0001", "RoCE v2"}}};
    return port;
}

TEST(PortAddress, RoutableRoceV2GidIsHealthy) {
    EXPECT_TRUE(judge_address(roce()).empty());
}

TEST(PortAddress, LinkLocalGidsAloneAreOneSign) {
    PortReading port = roce();
    port.gids->resize(2);
    ASSERT_EQ(judge_address(port).size(), 1u);
    EXPECT_EQ(judge_address(port)[0].sign, "port.gid");
    EXPECT_FALSE(judge_address(port)[0].certain);
}

TEST(PortAddress, NoGidAtAllIsCertain) {
    PortReading port = roce();
    port.gids->clear();
    EXPECT_EQ(combine(judge_address(port)), Verdict::kDegraded);
    port.link_layer = "InfiniBand";
    EXPECT_EQ(combine(judge_address(port)), Verdict::kDegraded);
}

TEST(PortAddress, LinkLocalIsNormalOnInfiniband) {
    PortReading port = roce();
    port.link_layer = "InfiniBand";
    port.gids->resize(1);
    EXPECT_TRUE(judge_address(port).empty());
}

TEST(PortAddress, InterfaceThatIsDownIsOneSign) {
    PortReading port = roce();
    port.operstate = "down";
    ASSERT_EQ(judge_address(port).size(), 1u);
    EXPECT_EQ(judge_address(port)[0].sign, "port.netdev");
    EXPECT_EQ(combine(judge_address(port)), Verdict::kUnknown);
}

TEST(PortAddress, WhatWasNotReadIsNotJudged) {
    PortReading port = roce();
    port.gids.reset();
    port.operstate.reset();
    EXPECT_TRUE(judge_address(port).empty());
}

}  // namespace
}  // namespace yardmaster
