#include "healthcheck/port/port_judge.hpp"

#include <gtest/gtest.h>

namespace yardmaster {
namespace {

CheckScope one_rail() {
    CheckScope scope;
    scope.rails = {{"mlx5_3", 1, 400}};
    scope.node_rails = {"mlx5_0", "mlx5_3"};
    return scope;
}

PortInventory inventory() {
    return {true, {"mlx5_0", "mlx5_3", "mlx5_8"}, ""};
}

PortReading healthy() {
    PortReading port;
    port.device = "mlx5_3";
    port.present = true;
    port.state = "4: ACTIVE";
    port.phys_state = "5: LinkUp";
    port.rate = "400 Gb/sec (4X NDR)";
    port.link_layer = "InfiniBand";
    port.counters["counters/link_downed"] = {0, ""};
    return port;
}

std::vector<Finding> judge_one(const PortReading& port) {
    return judge_ports(one_rail(), inventory(), {port});
}

TEST(PortJudge, HealthyRailGivesNoFinding) {
    EXPECT_TRUE(judge_one(healthy()).empty());
}

TEST(PortJudge, SlowRailIsCertainlyDegradedAndNamed) {
    PortReading port = healthy();
    port.rate = "100 Gb/sec (4X EDR)";
    const auto findings = judge_one(port);
    ASSERT_EQ(findings.size(), 1u);
    EXPECT_EQ(findings[0].verdict, Verdict::kDegraded);
    EXPECT_TRUE(findings[0].certain);
    EXPECT_EQ(findings[0].object, "mlx5_3");
    EXPECT_EQ(findings[0].short_text, "100/400Gb");
}

TEST(PortJudge, HalvedWidthIsDegradedAgainstTheFullRate) {
    PortReading port = healthy();
    port.rate = "200 Gb/sec (2X NDR)";
    EXPECT_EQ(combine(judge_one(port)), Verdict::kDegraded);
}

TEST(PortJudge, HalfWidthByDesignIsHealthy) {
    PortReading port = healthy();
    port.rate = "200 Gb/sec (2X NDR)";
    CheckScope scope = one_rail();
    scope.rails[0].gbps = 200;
    EXPECT_TRUE(judge_ports(scope, inventory(), {port}).empty());
}

TEST(PortJudge, FasterThanPromisedIsHealthy) {
    PortReading port = healthy();
    port.rate = "800 Gb/sec (4X XDR)";
    EXPECT_TRUE(judge_one(port).empty());
}

TEST(PortJudge, DownRailIsOneCertainFinding) {
    PortReading port = healthy();
    port.state = "1: DOWN";
    port.phys_state = "2: Polling";
    port.rate = "10 Gb/sec (4X SDR)";
    const auto findings = judge_one(port);
    ASSERT_EQ(findings.size(), 1u);
    EXPECT_TRUE(findings[0].certain);
    EXPECT_EQ(findings[0].short_text, "down");
}

TEST(PortJudge, InitWithoutSubnetManagerIsNotEnoughAlone) {
    PortReading port = healthy();
    port.state = "2: INIT";
    const auto findings = judge_one(port);
    ASSERT_EQ(findings.size(), 1u);
    EXPECT_EQ(findings[0].verdict, Verdict::kDegraded);
    EXPECT_EQ(combine(findings), Verdict::kUnknown);
}

TEST(PortJudge, ContradictingPhysStateIsUnknown) {
    PortReading port = healthy();
    port.phys_state = "4: ACTIVE";  // seen on a real machine
    EXPECT_EQ(combine(judge_one(port)), Verdict::kUnknown);
    port.phys_state = "nonsense";
    EXPECT_EQ(combine(judge_one(port)), Verdict::kUnknown);
}

TEST(PortJudge, UnreadableMembersAreUnknown) {
    for (auto member : {&PortReading::state, &PortReading::phys_state, &PortReading::rate}) {
        PortReading port = healthy();
        port.*member = std::nullopt;
        EXPECT_EQ(combine(judge_one(port)), Verdict::kUnknown);
    }
}

TEST(PortJudge, EmptyCageRateOnAnActivePortIsUnknown) {
    PortReading port = healthy();
    port.rate = "0 GB/sec";
    EXPECT_EQ(combine(judge_one(port)), Verdict::kUnknown);
}

TEST(PortJudge, SaturatedOldCounterIsHealthy) {
    PortReading port = healthy();
    port.counters["counters/link_downed"] = {255, ""};
    EXPECT_TRUE(judge_one(port).empty());
}

TEST(PortJudge, CounterWithoutNumberIsUnknownAndTheRestIsJudged) {
    PortReading port = healthy();
    port.counters["counters/symbol_error"] = {std::nullopt, "N/A (no PMA)"};
    EXPECT_EQ(combine(judge_one(port)), Verdict::kUnknown);
    port.rate = "100 Gb/sec (4X EDR)";
    EXPECT_EQ(combine(judge_one(port)), Verdict::kDegraded);
}

TEST(PortJudge, PortWithoutCountersIsUnknown) {
    PortReading port = healthy();
    port.counters.clear();
    EXPECT_EQ(combine(judge_one(port)), Verdict::kUnknown);
}

TEST(PortJudge, PortsThatAreNoRailsDoNotCount) {
    PortReading storage = healthy();
    storage.device = "mlx5_8";
    storage.state = "1: DOWN";
    PortReading second_port = healthy();
    second_port.port = 2;
    second_port.state = "1: DOWN";
    EXPECT_TRUE(judge_ports(one_rail(), inventory(), {storage, second_port, healthy()}).empty());
}

TEST(PortJudge, HealthySpareDoesNotHideADeadRail) {
    PortReading spare = healthy();
    spare.device = "mlx5_8";
    PortReading rail = healthy();
    rail.state = "1: DOWN";
    EXPECT_EQ(combine(judge_ports(one_rail(), inventory(), {spare, rail})), Verdict::kDegraded);
}

TEST(PortJudge, VanishedDeviceAmongItsSiblingsIsMissing) {
    PortReading port;
    port.device = "mlx5_3";
    const auto findings = judge_ports(one_rail(), {true, {"mlx5_0", "mlx5_8"}, ""}, {port});
    ASSERT_EQ(findings.size(), 1u);
    EXPECT_EQ(findings[0].short_text, "missing");
    EXPECT_EQ(combine(findings), Verdict::kDegraded);
}

TEST(PortJudge, NodeWithOtherDeviceNamesIsUnknown) {
    PortReading port;
    port.device = "mlx5_3";
    EXPECT_EQ(combine(judge_ports(one_rail(), {true, {"ib0", "mlx5_8"}, ""}, {port})),
              Verdict::kUnknown);
    EXPECT_EQ(combine(judge_ports(one_rail(), {false, {}, "no such folder"}, {port})),
              Verdict::kUnknown);
}

TEST(PortJudge, RailThatWasNotReadIsUnknown) {
    EXPECT_EQ(combine(judge_ports(one_rail(), inventory(), {})), Verdict::kUnknown);
}

TEST(PortJudge, MissingFabricFileIsSaid) {
    CheckScope scope;
    scope.rails_unknown = "fabric.json: no such file";
    const auto findings = judge_ports(scope, {}, {});
    ASSERT_EQ(findings.size(), 1u);
    EXPECT_EQ(findings[0].verdict, Verdict::kUnknown);
    EXPECT_NE(findings[0].detail.find("no such file"), std::string::npos);
}

}  // namespace
}  // namespace yardmaster
