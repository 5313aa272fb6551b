// The real meter on two and three simulated nodes, each a process of its own.
#include <gtest/gtest.h>

#include "tests/healthcheck/meter_nodes.hpp"
#include "tests/sim/sysfs_tree.hpp"

namespace yardmaster {
namespace {

using std::chrono::milliseconds;

class VerbsMeter : public testing::MeterNodes {
  protected:
    std::string outcomes(const std::vector<RdmaPairReading>& readings) {
        std::string text;
        for (const RdmaPairReading& reading : readings) {
            text += std::string(text.empty() ? "" : " ") + std::string(to_string(reading.outcome));
        }
        return text;
    }
    void make_roce() {
        for (const sim::SimNode& node : nodes_) {
            for (const char* nic : {"mlx5_0", "mlx5_1"}) {
                ASSERT_TRUE(sim::set_file(node.port(nic) + "/link_layer", "Ethernet"));
            }
        }
    }
    const std::vector<CrossEdge> pair_ = {edge(0, 1), edge(1, 0)};
    const std::vector<CrossEdge> ring_ = {edge(0, 1), edge(1, 2), edge(2, 0)};
};

TEST_F(VerbsMeter, HealthyRingOfTwoRailsIsMeasured) {
    std::vector<CrossEdge> edges = ring_;
    for (const auto& [from, to] : {std::pair(0, 1), std::pair(1, 2), std::pair(2, 0)}) {
        edges.push_back(edge(from, to, 1));
    }
    for (const RdmaPairReading& reading : measure(edges)) {
        EXPECT_EQ(reading.outcome, RdmaOutcome::kMeasured) << reading.error;
        ASSERT_EQ(reading.gbps.size(), 4u);
        EXPECT_NEAR(reading.gbps[0], 397.5, 30);
        EXPECT_NEAR(reading.latency_us.value_or(0), 4, 1);
        EXPECT_EQ(reading.to.memory, "host");
        EXPECT_NE(reading.to.firmware.find("SIMULATED"), std::string::npos);
    }
}

TEST_F(VerbsMeter, RoundsFollowEachOtherOnDevicesThatStayOpen) {
    EXPECT_EQ(outcomes(measure(ring_)), "measured measured measured");
    EXPECT_EQ(outcomes(measure({edge(0, 2)})), "measured");
    EXPECT_EQ(outcomes(measure({})), "");
    EXPECT_EQ(outcomes(measure(ring_)), "measured measured measured");
}

TEST_F(VerbsMeter, OneDirectionOfOnePairIsCut) {
    change(0, [&](auto& scenario) {
        scenario.cuts.push_back({"mlx5_0", folder_ / "n1", "mlx5_0"});
    });
    const auto readings = measure({edge(0, 1), edge(1, 2), edge(2, 0)});
    EXPECT_EQ(outcomes(readings), "unreachable measured measured");
    EXPECT_EQ(readings[0].wc_status, kWcRetryExceeded);
    EXPECT_EQ(readings[0].failed_port, "");
    EXPECT_EQ(outcomes(measure({edge(1, 0), edge(2, 1), edge(0, 2)})),
              "measured measured measured");
}

TEST_F(VerbsMeter, PortThatReachesNoOtherNodeIsSilentBothWays) {
    change(1, [](auto& scenario) {
        scenario.nics["mlx5_0"].far_send.fault = scenario.nics["mlx5_0"].far_receive.fault =
            "retry";
    });
    EXPECT_EQ(outcomes(measure(ring_)), "unreachable unreachable measured");
}

TEST_F(VerbsMeter, OneDirectionOfAPortIsSlow) {
    change(1, [](auto& scenario) { scenario.nics["mlx5_0"].far_receive.share = 0.5; });
    const auto readings = measure(ring_);
    EXPECT_EQ(outcomes(readings), "measured measured measured");
    EXPECT_NEAR(readings[0].gbps.at(0), 199, 20);
    EXPECT_NEAR(readings[1].gbps.at(0), 397, 30);
}

TEST_F(VerbsMeter, BadDataAreNoticedByTheReceiver) {
    change(0, [](auto& scenario) { scenario.nics["mlx5_0"].far_send.fault = "bad-data"; });
    const auto readings = measure(ring_);
    EXPECT_EQ(outcomes(readings), "bad-data measured measured");
    EXPECT_FALSE(readings[0].gbps.empty());
}

TEST_F(VerbsMeter, ErrorAfterGoodWritesIsBroken) {
    change(2, [](auto& scenario) { scenario.nics["mlx5_0"].all.fault = "broken"; });
    EXPECT_EQ(outcomes(measure(ring_)), "measured broken broken");
}

TEST_F(VerbsMeter, RailsThatAreFabricsOfTheirOwnReachTheirLike) {
    for (unsigned node = 0; node < 2; ++node) {
        change(node, [](auto& scenario) { scenario.separate = true; });
    }
    const CrossEdge across{port(0, 0), port(1, 1), CrossPurpose::kRing, std::nullopt, {}};
    EXPECT_EQ(outcomes(measure({edge(0, 1, 1), across})), "measured unreachable");
}

TEST_F(VerbsMeter, PortThatIsDownIsNamed) {
    ASSERT_TRUE(nodes_[1].set_port("mlx5_0", "1: DOWN", "2: Polling"));
    const auto readings = measure(pair_);
    EXPECT_EQ(outcomes(readings), "port-down port-down");
    EXPECT_EQ(readings[0].failed_port, "n1 mlx5_0");
}

TEST_F(VerbsMeter, DeviceThatIsGoneIsNamed) {
    ASSERT_TRUE(nodes_[1].remove_nic("mlx5_0"));
    const auto readings = measure(pair_);
    EXPECT_EQ(outcomes(readings), "failed failed");
    EXPECT_EQ(readings[1].failed_port, "n1 mlx5_0");
}

TEST_F(VerbsMeter, PortWithoutAnAddressIsNamed) {
    make_roce();
    change(1, [](auto& scenario) { scenario.nics["mlx5_0"].all.fault = "no-gid"; });
    const auto readings = measure(pair_);
    EXPECT_EQ(outcomes(readings), "no-gid no-gid");
    EXPECT_EQ(readings[0].failed_port, "n1 mlx5_0");
}

TEST_F(VerbsMeter, PortThatKeptOnlyItsLinkLocalAddressIsNamedInBothRoles) {
    make_roce();
    change(1, [](auto& scenario) { scenario.nics["mlx5_0"].all.fault = "gid-local"; });
    const auto readings = measure({edge(0, 1), edge(1, 0), edge(0, 2)});
    EXPECT_EQ(outcomes(readings), "no-gid no-gid measured");
    EXPECT_EQ(readings[0].failed_port, "n1 mlx5_0");
    EXPECT_EQ(readings[1].failed_port, "n1 mlx5_0");
}

TEST_F(VerbsMeter, NoTimeStillWritesAndVerifiesTheWholeBuffer) {
    // All of the budget is kept for what is under way: the stream's end is its beginning.
    how_.stream.window = milliseconds(500);
    const auto readings = measure({edge(0, 1)}, milliseconds(2000));
    EXPECT_EQ(outcomes(readings), "measured");
    EXPECT_LE(readings[0].gbps.size(), 1u);
}

TEST_F(VerbsMeter, PortThatAllButStopsEndsWithItsBudget) {
    change(0, [](auto& scenario) { scenario.nics["mlx5_0"].far_send.share = 0.0001; });
    const auto readings = measure({edge(0, 1), edge(1, 2)}, milliseconds(500));
    EXPECT_EQ(outcomes(readings), "broken measured");
    EXPECT_NE(readings[0].error.find("not acknowledged in time"), std::string::npos);
}

TEST_F(VerbsMeter, OtherSettingsOnTheOtherNodeAreRefused) {
    own_how_ = {how_, how_};
    own_how_[1].stream.depth = 4;
    const auto readings = measure({edge(0, 1)});
    EXPECT_EQ(outcomes(readings), "failed");
    EXPECT_NE(readings[0].error.find("must be the same at both"), std::string::npos);
}

}  // namespace
}  // namespace yardmaster
