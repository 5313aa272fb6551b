// One edge's measurement, put together from what its two ends told.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "healthcheck/crossnode/edge_outcome.hpp"
#include "tests/healthcheck/crossnode_meeting.hpp"

namespace yardmaster {
namespace {

using testing::cross_port;
using ::testing::HasSubstr;

class EdgeOutcome : public ::testing::Test {
  protected:
    EdgeOutcome() : edge_{cross_port("n0", 0), cross_port("n1", 0), CrossPurpose::kRing, {}, {}} {
        for (const CrossSide side : {CrossSide::kFrom, CrossSide::kTo}) {
            EndStory& end = story_.end(side);
            end.opened = OpenedEnd{{}, RdmaAddress{}, {}, RdmaOutcome::kMeasured, ""};
            end.connected = ReadyMessage::Connected{{}, RdmaOutcome::kMeasured, ""};
            end.result = EndResult{{}, RdmaOutcome::kMeasured, "", 0, "", 1 << 20, {}, {}};
        }
        story_.started = true;
        from().result->gbps = {390};
    }

    EndStory& from() { return story_.end(CrossSide::kFrom); }
    EndStory& to() { return story_.end(CrossSide::kTo); }
    RdmaPairReading reading() const { return conclude_edge(edge_, story_); }
    void expect(RdmaOutcome outcome, const std::string& failed_port, const std::string& error) {
        const RdmaPairReading seen = reading();
        EXPECT_EQ(seen.outcome, outcome) << seen.error;
        EXPECT_EQ(seen.failed_port, failed_port);
        EXPECT_THAT(seen.error, HasSubstr(error));
    }

    CrossEdge edge_;
    EdgeStory story_;
};

TEST_F(EdgeOutcome, BothEndsContentIsMeasured) {
    from().opened->reading.rate = "400 Gb/sec (4X NDR)";
    to().opened->reading.port = {"mlx5_9", 1};  // whatever an end calls itself
    expect(RdmaOutcome::kMeasured, "", "");
    EXPECT_EQ(reading().gbps, std::vector<double>{390});
    EXPECT_EQ(reading().from.rate, "400 Gb/sec (4X NDR)");
    EXPECT_EQ(reading().to.port, edge_.to.port);
    EXPECT_EQ(reading().attempt, 1u);
    edge_.purpose = CrossPurpose::kAgain;
    EXPECT_EQ(reading().attempt, 2u);
}

TEST_F(EdgeOutcome, SendersFailureIsThePairs) {
    from().result->outcome = RdmaOutcome::kBroken;
    from().result->error = "after 2 good writes";
    from().result->wc_status = 12;
    to().result->outcome = RdmaOutcome::kFailed;  // it got no notice: of course
    expect(RdmaOutcome::kBroken, "", "after 2 good writes");
    EXPECT_EQ(reading().wc_status, 12);
}

TEST_F(EdgeOutcome, ReceiverCountsWhereTheSenderIsContent) {
    to().result->outcome = RdmaOutcome::kBadData;
    to().result->error = "other data arrived than were sent";
    expect(RdmaOutcome::kBadData, "", "the receiver: other data");
}

TEST_F(EdgeOutcome, EndThatIsNotMadeIsNamed) {
    to().opened->address.reset();
    to().opened->outcome = RdmaOutcome::kPortDown;
    to().opened->error = "the port is down";
    expect(RdmaOutcome::kPortDown, "n1 mlx5_0", "n1 mlx5_0: the port is down");
    to().opened->outcome = RdmaOutcome::kMeasured;  // which cannot be without an address
    expect(RdmaOutcome::kFailed, "n1 mlx5_0", "");
}

TEST_F(EdgeOutcome, EndThatIsNotConnectedIsNamed) {
    from().connected->outcome = RdmaOutcome::kFailed;
    from().connected->error = "ibv_modify_qp: EINVAL";
    expect(RdmaOutcome::kFailed, "n0 mlx5_0", "EINVAL");
    from().connected->outcome = RdmaOutcome::kUnreachable;
    expect(RdmaOutcome::kUnreachable, "", "EINVAL");
}

TEST_F(EdgeOutcome, NodeThatLeftFailsTheEdgeWhateverTheOtherSaw) {
    from().result->outcome = RdmaOutcome::kUnreachable;
    to().gone = "the other side closed the connection";
    expect(RdmaOutcome::kFailed, "", "node n1 left the meeting: the other side closed");
}

TEST_F(EdgeOutcome, SilenceIsAFailureOfNoPort) {
    EdgeStory whole = story_;
    to().result.reset();
    expect(RdmaOutcome::kFailed, "", "node n1 told no result");
    story_ = whole;
    story_.started = false;
    expect(RdmaOutcome::kFailed, "", "no time was left");
    story_ = whole;
    from().opened.reset();
    expect(RdmaOutcome::kFailed, "", "node n0 told nothing of mlx5_0");
    to().opened.reset();
    expect(RdmaOutcome::kFailed, "", "no time was left");
}

}  // namespace
}  // namespace yardmaster
