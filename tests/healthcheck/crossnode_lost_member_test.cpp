// Nodes that do not come to a meeting, or do not stay.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/healthcheck/crossnode_meeting.hpp"

namespace yardmaster {
namespace {

using testing::count_of;
using testing::expect_one_truth;
using ::testing::HasSubstr;
using testing::Meeting;
using testing::milliseconds;

TEST(CrossMeeting, AbsentNodeIsToldAndOthersAreMeasured) {
    Meeting meeting(3, 2);
    meeting.absent = {"n2"};
    meeting.meet = milliseconds(400);
    meeting.run();
    expect_one_truth(meeting);
    const OverMessage& over = meeting.over_of("n1");
    ASSERT_EQ(over.peers.size(), 3u);
    EXPECT_FALSE(over.peers[2].came);
    EXPECT_EQ(over.edges.size(), 4u);
    EXPECT_EQ(count_of(over, RdmaOutcome::kMeasured), 4u);
}

TEST(CrossMeeting, LateNodeFindsTheDoorClosed) {
    Meeting meeting(3, 1);
    meeting.late["n2"] = milliseconds(600);
    meeting.meet = milliseconds(300);
    meeting.run();
    EXPECT_EQ(meeting.results.at("n2").status().code(), ErrorCode::kTimeout);
    EXPECT_EQ(count_of(meeting.over_of("n1"), RdmaOutcome::kMeasured), 2u);
}

class DyingMember : public ::testing::TestWithParam<const char*> {};

TEST_P(DyingMember, CostsItsOwnEdgesOnly) {
    Meeting meeting(4, 1);
    meeting.fabric.dies = std::string("n1 ") + GetParam();
    meeting.run();
    ASSERT_FALSE(meeting.results.at("n1"));
    for (const char* node : {"n0", "n2", "n3"}) {
        ASSERT_TRUE(meeting.results.at(node)) << meeting.results.at(node).status().message();
    }
    const OverMessage& over = meeting.over_of("n0");
    EXPECT_TRUE(over.peers.at(1).came);
    EXPECT_NE(over.peers.at(1).why, "");
    for (const std::size_t index : {0u, 1u}) {
        EXPECT_EQ(over.edges.at(index).measured.outcome, RdmaOutcome::kFailed);
        EXPECT_THAT(over.edges[index].measured.error, HasSubstr("node n1 left the meeting"));
    }
    EXPECT_EQ(over.edges.at(2).measured.outcome, RdmaOutcome::kMeasured);
    EXPECT_EQ(over.edges.at(3).measured.outcome, RdmaOutcome::kMeasured);
}
INSTANTIATE_TEST_SUITE_P(Steps, DyingMember, ::testing::Values("open", "connect", "measure"));

class HangingMember : public ::testing::TestWithParam<const char*> {};

TEST_P(HangingMember, IsLeftBehindInTime) {
    Meeting meeting(4, 1);
    meeting.stay = milliseconds(3000);
    meeting.fabric.hangs = std::string("n2 ") + GetParam();
    meeting.fabric.hang = milliseconds(1600);
    meeting.run();
    EXPECT_EQ(meeting.results.at("n2").status().code(), ErrorCode::kTimeout);
    for (const char* node : {"n0", "n1", "n3"}) {
        ASSERT_TRUE(meeting.results.at(node)) << meeting.results.at(node).status().message();
    }
    const OverMessage& over = meeting.over_of("n3");
    EXPECT_THAT(over.peers.at(2).why, HasSubstr("in time"));
    EXPECT_EQ(over.edges.at(0).measured.outcome, RdmaOutcome::kMeasured)
        << over.edges[0].measured.error;
    EXPECT_THAT(over.edges.at(1).measured.error, HasSubstr("node n2 left the meeting"));
    EXPECT_EQ(over.edges.at(3).measured.outcome, RdmaOutcome::kMeasured);
}
INSTANTIATE_TEST_SUITE_P(Steps, HangingMember, ::testing::Values("open", "connect", "measure"));

}  // namespace
}  // namespace yardmaster
