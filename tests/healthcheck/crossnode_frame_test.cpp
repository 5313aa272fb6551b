// Frames and messages on their way through a connection.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>

#include "healthcheck/crossnode/message_socket.hpp"
#include "tests/healthcheck/crossnode_meeting.hpp"

namespace yardmaster {
namespace {

using testing::cross_port;
using testing::FakeMunge;
using testing::FakeSeal;
using ::testing::HasSubstr;
using Role = MessageSocket::Role;

/// Two ends of one connection.
class CrossFrames : public ::testing::Test {
  protected:
    CrossFrames() { EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds_), 0); }
    int fds_[2];
};

TEST_F(CrossFrames, ByteByByteIsOneFrame) {
    FrameSocket reader(fds_[0], 100);
    const OwnedFd writer(fds_[1]);
    const std::string bytes("\0\0\0\3abc\0\0\0\1d", 12);
    std::vector<std::string> frames;
    for (const char byte : bytes) {
        ASSERT_EQ(write(writer.get(), &byte, 1), 1);
        const auto frame = reader.receive();
        ASSERT_TRUE(frame);
        if (*frame) {
            frames.push_back(**frame);
        }
    }
    EXPECT_EQ(frames, (std::vector<std::string>{"abc", "d"}));
}

TEST_F(CrossFrames, LongFrameIsWrittenInParts) {
    FrameSocket reader(fds_[0], 8 << 20);
    FrameSocket writer(fds_[1], 100);
    const std::string sent(6 << 20, 'y');
    ASSERT_TRUE(writer.send(sent));
    EXPECT_TRUE(writer.has_output());
    std::optional<std::string> got;
    while (!got) {
        const auto frame = reader.receive();
        ASSERT_TRUE(frame);
        got = *frame;
        ASSERT_TRUE(writer.flush());
    }
    EXPECT_EQ(*got, sent);
    EXPECT_FALSE(writer.has_output());
}

TEST_F(CrossFrames, TooLongAndEmptyFramesAreMalformed) {
    for (const std::string& header : {std::string("\0\0\0\x65", 4),
                                      std::string("\xff\xff\xff\xff"),
                                      std::string("\0\0\0\0", 4)}) {
        int fds[2];
        ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds), 0);
        FrameSocket reader(fds[0], 100);
        const OwnedFd writer(fds[1]);
        ASSERT_EQ(write(writer.get(), header.data(), 4), 4);
        EXPECT_EQ(reader.receive().status().code(), ErrorCode::kMalformed);
    }
}

TEST_F(CrossFrames, ClosedConnectionIsUnreadable) {
    FrameSocket reader(fds_[0], 100);
    {
        const OwnedFd writer(fds_[1]);
        ASSERT_EQ(write(writer.get(), "\0\0\0\5ab", 6), 6);
    }
    EXPECT_EQ(reader.receive().status().code(), ErrorCode::kUnreadable);
    FrameSocket& sender = reader;
    EXPECT_EQ(sender.send("x").code(), ErrorCode::kUnreadable);
}

TEST_F(CrossFrames, MessageLongerThanACredentialArrivesWhole) {
    FakeMunge munge;
    FakeSeal hub_seal(munge);
    FakeSeal member_seal(munge);
    MessageSocket hub(fds_[0], Role::kHub, hub_seal);
    MessageSocket member(fds_[1], Role::kMember, member_seal);
    hub.bind({1, 0}, "n1");
    member.bind({1, 0}, "n1");
    OverMessage over;
    over.edges.resize(3000,
                      {cross_port("n0", 0), cross_port("n1", 0), CrossPurpose::kRing, {}, {}});
    for (CrossEdge& edge : over.edges) {
        edge.measured.from.port = edge.from.port;
        edge.measured.to.port = edge.to.port;
        edge.measured.error = std::string(200, 'e');
    }
    ASSERT_GT(to_text(over).size(), 2u << 20);
    ASSERT_TRUE(hub.send(over));
    for (;;) {
        const auto message = member.receive();
        ASSERT_TRUE(message) << message.status().message();
        if (*message) {
            EXPECT_EQ(to_text(**message), to_text(over));
            break;
        }
        ASSERT_TRUE(hub.flush());
    }
}

TEST_F(CrossFrames, CredentialOfAnotherPlaceIsMalformed) {
    FakeMunge munge;
    FakeSeal seal(munge);
    MessageSocket member(fds_[1], Role::kMember, seal);
    member.bind({1, 0}, "n1");
    FrameSocket hub(fds_[0], 100);
    const std::string go = to_text(GoMessage{});
    ASSERT_TRUE(hub.send(munge.close("yardmaster 1.0 n1 hub 0 .\n" + go)));
    ASSERT_TRUE(member.receive());
    // One of another connection, of another meeting, in the other direction, and one left out.
    for (const char* head : {"2.0 n1 hub 1 .",
                             "1.0 n2 hub 1 .",
                             "1.0 n1 member 1 .",
                             "1.0 n1 hub 9 .",
                             "1.0 n1 hub 1 ?"}) {
        int fds[2];
        ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds), 0);
        MessageSocket fresh(fds[1], Role::kMember, seal);
        fresh.bind({1, 0}, "n1");
        FrameSocket other(fds[0], 100);
        ASSERT_TRUE(other.send(munge.close("yardmaster 1.0 n1 hub 0 .\n" + go)));
        ASSERT_TRUE(fresh.receive());
        ASSERT_TRUE(other.send(munge.close("yardmaster " + std::string(head) + "\n" + go)));
        const auto message = fresh.receive();
        EXPECT_EQ(message.status().code(), ErrorCode::kMalformed) << head;
        EXPECT_THAT(message.status().message(), HasSubstr("out of its place"));
    }
}

}  // namespace
}  // namespace yardmaster
