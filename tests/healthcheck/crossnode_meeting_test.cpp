// Meetings of nodes: the hub and members over TCP, with meters and a seal in memory.
#include "tests/healthcheck/crossnode_meeting.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "healthcheck/crossnode/cross_judge.hpp"

namespace yardmaster {
namespace {

using testing::count_of;
using testing::expect_one_truth;
using ::testing::HasSubstr;
using testing::Meeting;
using testing::milliseconds;

/// Ports with a degraded finding, "n1 mlx5_0".
std::set<std::string> degraded_ports(const Meeting& meeting) {
    std::set<std::string> ports;
    for (const auto& [node, result] : meeting.results) {
        for (const Finding& finding : judge_cross(meeting.reading_of(node), node)) {
            if (finding.verdict == Verdict::kDegraded) {
                ports.insert(node + " " + finding.object);
            }
        }
    }
    return ports;
}

class HealthyMeeting : public ::testing::TestWithParam<std::size_t> {};

TEST_P(HealthyMeeting, EveryEdgeIsMeasuredAndAllHearTheSame) {
    const std::size_t nodes = GetParam();
    Meeting meeting(nodes, 8);
    meeting.meet = milliseconds(30'000);
    meeting.stay = milliseconds(90'000);
    meeting.run();
    ASSERT_TRUE(meeting.hub_status) << meeting.hub_status.message();
    expect_one_truth(meeting);
    const OverMessage& over = meeting.over_of("n0");
    EXPECT_EQ(over.note, "");
    EXPECT_EQ(over.edges.size(), nodes * 8);
    EXPECT_EQ(count_of(over, RdmaOutcome::kMeasured), nodes * 8);
    const CrossEdge& edge = over.edges.at(0);
    EXPECT_EQ(port_name(edge.from) + ">" + port_name(edge.to), "n0 mlx5_0>n1 mlx5_0");
    EXPECT_EQ(edge.measured.gbps, (std::vector<double>{390.1, 391.25}));
    EXPECT_EQ(edge.measured.latency_us, 2.5);
    EXPECT_EQ(edge.measured.to.rate, "400 Gb/sec (4X NDR)");
    for (const CrossPeer& peer : over.peers) {
        EXPECT_TRUE(peer.came && peer.why.empty()) << peer.node << ": " << peer.why;
    }
    EXPECT_EQ(degraded_ports(meeting), std::set<std::string>());
    std::printf("%zu nodes: %ld ms, of which the hub computes %ld ms\n",
                nodes,
                static_cast<long>(meeting.took / milliseconds(1)),
                static_cast<long>(meeting.hub_computed / milliseconds(1)));
}
INSTANTIATE_TEST_SUITE_P(Nodes, HealthyMeeting, ::testing::Values(2, 3, 16, 64));

TEST(CrossMeeting, BadPortIsFoundByThirdParties) {
    Meeting meeting(6, 2);
    meeting.fabric.dead = {"n2 mlx5_1"};
    meeting.run();
    expect_one_truth(meeting);
    const OverMessage& over = meeting.over_of("n0");
    ASSERT_EQ(over.edges.size(), 12u + 2 * 3);
    for (std::size_t i = 12; i < over.edges.size(); ++i) {
        const CrossEdge& edge = over.edges[i];
        ASSERT_TRUE(edge.about);
        EXPECT_EQ(over.edges.at(*edge.about).measured.outcome, RdmaOutcome::kUnreachable);
        EXPECT_EQ(edge.measured.attempt, edge.purpose == CrossPurpose::kAgain ? 2u : 1u);
    }
    EXPECT_EQ(count_of(over, RdmaOutcome::kMeasured), 10u + 2);
    EXPECT_EQ(count_of(over, RdmaOutcome::kUnreachable), 2u + 4);
    EXPECT_EQ(degraded_ports(meeting), std::set<std::string>{"n2 mlx5_1"});
}

TEST(CrossMeeting, ReceiverOfOtherDataFailsItsEdge) {
    Meeting meeting(4, 1);
    meeting.fabric.corrupting = {"n3 mlx5_0"};
    meeting.run();
    expect_one_truth(meeting);
    const CrossEdge& edge = meeting.over_of("n0").edges.at(2);
    EXPECT_EQ(port_name(edge.to), "n3 mlx5_0");
    EXPECT_EQ(edge.measured.outcome, RdmaOutcome::kBadData);
    EXPECT_THAT(edge.measured.error, HasSubstr("other data arrived"));
}

TEST(CrossMeeting, EndThatCannotBeMadeNamesItsPort) {
    Meeting meeting(4, 1);
    meeting.fabric.no_gid = {"n1 mlx5_0"};
    meeting.run();
    expect_one_truth(meeting);
    for (const std::size_t index : {0u, 1u}) {
        const RdmaPairReading& measured = meeting.over_of("n2").edges.at(index).measured;
        EXPECT_EQ(measured.outcome, RdmaOutcome::kNoGid);
        EXPECT_EQ(measured.failed_port, "n1 mlx5_0");
        EXPECT_EQ(measured.error, "n1 mlx5_0: has no GID");
    }
    EXPECT_EQ(count_of(meeting.over_of("n2"), RdmaOutcome::kMeasured), 2u + 2);
}

TEST(CrossMeeting, SingleNodeThatComesHasNothingToMeasure) {
    Meeting meeting(2, 2);
    meeting.absent = {"n1"};
    meeting.meet = milliseconds(200);
    meeting.run();
    EXPECT_THAT(meeting.over_of("n0").note, HasSubstr("to measure between"));
    EXPECT_TRUE(meeting.over_of("n0").edges.empty());
}

TEST(CrossMeeting, AllProvenNodesMeasureNothing) {
    Meeting meeting(3, 2);
    for (auto& [node, hello] : meeting.hellos) {
        hello.proven = true;
    }
    meeting.run();
    expect_one_truth(meeting);
    EXPECT_THAT(meeting.over_of("n2").note, HasSubstr("passed lately"));
    EXPECT_TRUE(meeting.over_of("n2").edges.empty());
}

TEST(CrossMeeting, OneNodeThatIsNotProvenHasAllMeasured) {
    Meeting meeting(3, 2);
    meeting.hellos.at("n0").proven = meeting.hellos.at("n1").proven = true;
    meeting.run();
    EXPECT_EQ(count_of(meeting.over_of("n1"), RdmaOutcome::kMeasured), 6u);
}

TEST(CrossMeeting, TakenPortIsUnavailable) {
    Meeting meeting(2, 1);
    const auto taken = listen_on(meeting.settings.port);
    ASSERT_TRUE(taken);
    testing::FakeSeal seal(meeting.munge);
    const Status status = run_hub(meeting.settings, seal);
    EXPECT_EQ(status.code(), ErrorCode::kUnavailable);
    EXPECT_THAT(status.message(), HasSubstr(std::to_string(meeting.settings.port)));
}

TEST(CrossMeeting, AbsentHubTimesOut) {
    Meeting meeting(2, 1);
    meeting.settings.meet_by = Clock::now() + milliseconds(200);
    meeting.settings.deadline = Clock::now() + milliseconds(900);
    testing::FakeSeal seal(meeting.munge);
    testing::FakeMeter meter(meeting.fabric, "n1");
    const auto over = run_member(
        meeting.settings, "127.0.0.1", meeting.hellos.at("n1"), seal, meter, [](const auto&) {});
    EXPECT_EQ(over.status().code(), ErrorCode::kTimeout);
    EXPECT_THAT(over.status().message(), HasSubstr("127.0.0.1 port"));
}

TEST(CrossMeeting, HubThatNeverAnswersTimesOut) {
    Meeting meeting(2, 1);
    const auto silent = listen_on(meeting.settings.port);
    ASSERT_TRUE(silent);
    meeting.settings.meet_by = Clock::now() + milliseconds(100);
    meeting.settings.deadline = Clock::now() + milliseconds(400);
    testing::FakeSeal seal(meeting.munge);
    testing::FakeMeter meter(meeting.fabric, "n1");
    const auto over = run_member(
        meeting.settings, "localhost", meeting.hellos.at("n1"), seal, meter, [](const auto&) {});
    EXPECT_EQ(over.status().code(), ErrorCode::kTimeout);
    EXPECT_THAT(over.status().message(), HasSubstr("does not answer"));
}

}  // namespace
}  // namespace yardmaster
