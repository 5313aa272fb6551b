// Whoever else finds the hub's port.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/socket.h>

#include "healthcheck/crossnode/frame_socket.hpp"
#include "tests/healthcheck/crossnode_meeting.hpp"

namespace yardmaster {
namespace {

using testing::FakeSeal;
using ::testing::HasSubstr;
using testing::Meeting;
using testing::milliseconds;

/// Two nodes of which the second comes later than what a test does.
class StrangerAtTheHub : public ::testing::Test {
  protected:
    StrangerAtTheHub() : meeting_(2, 1) { meeting_.late["n1"] = milliseconds(300); }

    OwnedFd dial() const {
        HubDialer dialer("localhost", meeting_.settings.port);
        for (int tries = 0; tries < 100; ++tries) {
            if (auto fd = dialer.dial(Clock::now() + milliseconds(500))) {
                return std::move(fd).value();
            }
            std::this_thread::sleep_for(milliseconds(5));
        }
        return OwnedFd();
    }

    /// True when the hub closes the connection within `limit` and without a word.
    static bool closed_without_a_word(int fd, milliseconds limit) {
        pollfd waiting{fd, POLLIN, 0};
        char byte = 0;
        return poll(&waiting, 1, static_cast<int>(limit.count())) == 1 &&
               recv(fd, &byte, 1, 0) <= 0;
    }

    bool refuses_bytes(const std::string& bytes) const {
        const OwnedFd fd = dial();
        send(fd.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
        return closed_without_a_word(fd.get(), milliseconds(250));
    }
    bool refuses_frame(const std::string& frame) const {
        OwnedFd fd = dial();
        FrameSocket socket(fd.release(), 1 << 20);
        EXPECT_TRUE(socket.send(frame));
        return closed_without_a_word(socket.fd(), milliseconds(250));
    }
    std::string sealed_hello(const HelloMessage& hello) {
        return meeting_.munge.close("yardmaster hello .\n" + to_text(hello));
    }

    void expect_undisturbed() {
        ASSERT_TRUE(meeting_.results.at("n1")) << meeting_.results.at("n1").status().message();
        ASSERT_EQ(meeting_.over_of("n0").edges.size(), 2u);
        for (const CrossEdge& edge : meeting_.over_of("n0").edges) {
            EXPECT_EQ(edge.measured.outcome, RdmaOutcome::kMeasured) << edge.measured.error;
        }
    }

    Meeting meeting_;
};

TEST_F(StrangerAtTheHub, GarbageIsClosed) {
    meeting_.run([&] {
        EXPECT_TRUE(refuses_bytes("GET / HTTP/1.0\r\n\r\n"));
        EXPECT_TRUE(refuses_bytes(std::string(4, '\0')));
        EXPECT_TRUE(refuses_frame("no credential"));
    });
    expect_undisturbed();
}

TEST_F(StrangerAtTheHub, SealedNonsenseIsClosed) {
    meeting_.run([&] {
        EXPECT_TRUE(refuses_frame(meeting_.munge.close("nonsense")));
        EXPECT_TRUE(refuses_frame(meeting_.munge.close("yardmaster hello .\n{\"hello\": 1}")));
        EXPECT_TRUE(
            refuses_frame(meeting_.munge.close("yardmaster hello .\n" + to_text(DoneMessage{}))));
    });
    expect_undisturbed();
}

TEST_F(StrangerAtTheHub, HelloOfAnotherMeetingIsClosed) {
    HelloMessage other_job = meeting_.hellos.at("n1");
    other_job.left_s = 5;
    HelloMessage other_start = other_job;
    HelloMessage other_version = other_job;
    HelloMessage other_node = other_job;
    other_job.meeting.job = 99;
    other_start.meeting.restarts = 0;
    other_version.version = 2;
    other_node.node = "n7";
    other_node.ports.clear();
    meeting_.run([&] {
        for (const auto& hello : {other_job, other_start, other_version, other_node}) {
            EXPECT_TRUE(refuses_frame(sealed_hello(hello)));
        }
    });
    expect_undisturbed();
}

TEST_F(StrangerAtTheHub, RefusedHelloIsToldOfItsNode) {
    HelloMessage earlier = meeting_.hellos.at("n1");
    earlier.left_s = 5;
    earlier.meeting.restarts = 0;
    meeting_.absent = {"n1"};
    meeting_.meet = milliseconds(400);
    meeting_.run([&] { EXPECT_TRUE(refuses_frame(sealed_hello(earlier))); });
    const CrossPeer& peer = meeting_.over_of("n0").peers.at(1);
    EXPECT_FALSE(peer.came);
    EXPECT_THAT(peer.why, HasSubstr("1234.0"));
}

TEST_F(StrangerAtTheHub, ReplayedHelloIsClosed) {
    meeting_.run([&] {
        std::string credential;
        while (credential.empty()) {
            std::this_thread::sleep_for(milliseconds(5));
            credential = meeting_.munge.find("yardmaster hello");
        }
        std::this_thread::sleep_for(milliseconds(50));
        EXPECT_TRUE(refuses_frame(credential));
    });
    expect_undisturbed();
}

TEST_F(StrangerAtTheHub, SecondHelloOfANodeIsRefused) {
    HelloMessage again = meeting_.hellos.at("n0");
    again.left_s = 5;
    meeting_.run([&] {
        std::this_thread::sleep_for(milliseconds(100));
        EXPECT_TRUE(refuses_frame(sealed_hello(again)));
    });
    expect_undisturbed();
}

TEST_F(StrangerAtTheHub, NodeThatMustGoAtOnceIsNotWaitedFor) {
    HelloMessage hurried = meeting_.hellos.at("n1");
    hurried.left_s = 0.3;
    meeting_.absent = {"n1"};
    meeting_.meet = milliseconds(300);
    meeting_.run([&] { EXPECT_TRUE(refuses_frame(sealed_hello(hurried))); });
    EXPECT_THAT(meeting_.over_of("n0").peers.at(1).why, HasSubstr("too little time"));
}

TEST_F(StrangerAtTheHub, SilenceIsClosedAfterAWhile) {
    meeting_.late["n1"] = milliseconds(1400);
    meeting_.run([&] {
        const OwnedFd silent = dial();
        const OwnedFd slow = dial();
        send(slow.get(), "\0\0\1", 3, MSG_NOSIGNAL);
        EXPECT_FALSE(closed_without_a_word(silent.get(), milliseconds(300)));
        EXPECT_TRUE(closed_without_a_word(silent.get(), milliseconds(1000)));
        EXPECT_TRUE(closed_without_a_word(slow.get(), milliseconds(100)));
    });
    expect_undisturbed();
}

TEST_F(StrangerAtTheHub, ManyConnectionsDoNotKeepMembersOut) {
    std::vector<OwnedFd> crowd;
    meeting_.run([&] {
        for (int i = 0; i < 100; ++i) {
            crowd.push_back(dial());
        }
        EXPECT_TRUE(closed_without_a_word(crowd.front().get(), milliseconds(200)));
    });
    expect_undisturbed();
}

}  // namespace
}  // namespace yardmaster
