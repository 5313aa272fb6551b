// The text of a meeting's messages, and of readings.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "healthcheck/crossnode/cross_json.hpp"
#include "tests/healthcheck/crossnode_meeting.hpp"

namespace yardmaster {
namespace {

using testing::cross_port;
using ::testing::HasSubstr;

HelloMessage hello_of(const std::string& node) {
    return {kMeetingVersion,
            {1234, 2},
            node,
            3.25,
            true,
            {cross_port(node, 0), {node, {"mlx5_1", 2}, 7, ""}}};
}

RdmaAddress address() {
    RdmaAddress address;
    address.queue_pair = 0xabcdef;
    address.packet_number = 0x123456;
    address.gid = {0xfe, 0x80, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8};
    address.mtu_bytes = 4096;
    address.buffer_address = 0xffff'ffff'ffff'f000;
    address.buffer_bytes = 8 << 20;
    address.buffer_key = 0xffff'ffff;
    return address;
}

CrossEdge edge(CrossPurpose purpose, std::optional<std::size_t> about) {
    CrossEdge edge{cross_port("n0", 0), cross_port("n1", 0), purpose, about, {}};
    edge.measured.from.port = edge.from.port;
    edge.measured.to.port = edge.to.port;
    edge.measured.from.rate = "400 Gb/sec (4X NDR)";
    edge.measured.from.pcie_gbps = 504.1;
    edge.measured.outcome = RdmaOutcome::kBroken;
    edge.measured.failed_port = "n0 mlx5_0";
    edge.measured.error = "after 3 good writes";
    edge.measured.wc_status = 12;
    edge.measured.wc_text = "transport retry counter exceeded";
    edge.measured.gbps = {390.125, 1.0 / 3};
    edge.measured.latency_us = 2.5;
    return edge;
}

OverMessage over_of(std::size_t edges) {
    OverMessage over;
    over.peers = {{"n0", true, ""}, {"n1", false, "did not come"}};
    for (std::size_t i = 0; i < edges; ++i) {
        over.edges.push_back(i == 0 ? edge(CrossPurpose::kRing, std::nullopt)
                                    : edge(CrossPurpose::kSender, 0));
    }
    return over;
}

std::vector<CrossMessage> all_messages() {
    const CrossEnd from{3, CrossSide::kFrom};
    const CrossEnd to{4, CrossSide::kTo};
    RdmaEndReading reading;
    reading.port = {"mlx5_0", 1};
    reading.gid_scope = "global";
    return {
        hello_of("hgx0001.site"),
        RoundMessage{{{from, cross_port("n0", 0), cross_port("n1", 0)}}},
        RoundMessage{},
        EndsMessage{{{from, address(), reading, RdmaOutcome::kMeasured, ""},
                     {to, std::nullopt, reading, RdmaOutcome::kNoGid, "no \"GID\"\n"}}},
        ConnectMessage{{{to, address()}}},
        ReadyMessage{{{from, RdmaOutcome::kUnreachable, "no answer"}}},
        GoMessage{{3, 4, 5}, 0.75},
        DoneMessage{{{from, RdmaOutcome::kBroken, "broke", 12, "retry", 1 << 20, {1.5, 2}, 2.5}}},
        over_of(2),
    };
}

TEST(CrossMessages, EachReadsBackAsItWas) {
    for (const CrossMessage& message : all_messages()) {
        const std::string text = to_text(message);
        const auto parsed = parse_cross_message(text);
        ASSERT_TRUE(parsed) << text << "\n" << parsed.status().message();
        EXPECT_EQ(parsed->index(), message.index());
        EXPECT_EQ(to_text(*parsed), text);
    }
    const auto hello = parse_cross_message(to_text(hello_of("n0")));
    EXPECT_EQ(std::get<HelloMessage>(*hello).ports, hello_of("n0").ports);
    EXPECT_EQ(std::get<HelloMessage>(*hello).left_s, 3.25);
    const auto peers = parse_cross_message(to_text(ConnectMessage{{{{}, address()}}}));
    EXPECT_EQ(std::get<ConnectMessage>(*peers).peers.at(0).address, address());
}

/// `text` with its first `from` replaced by `to`.
std::string with(std::string text, const std::string& from, const std::string& to) {
    const auto at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from << " in " << text;
    return text.replace(at, from.size(), to);
}

TEST(CrossMessages, WhatNoMemberWritesIsMalformed) {
    const std::string hello = to_text(hello_of("n0"));
    const std::string round =
        to_text(RoundMessage{{{{3, CrossSide::kFrom}, cross_port("n0", 0), cross_port("n1", 0)}}});
    const std::string over = to_text(over_of(2));
    const std::string done = to_text(all_messages().at(7));
    const std::string end =
        round.substr(round.find('[') + 1, round.find(']') - round.find('[') - 1);
    const std::pair<std::string, std::string> cases[] = {
        {"", ""},
        {"[]", "must be an object"},
        {"{}", "one member"},
        {"{\"hello\": {}, \"over\": {}}", "one member"},
        {"{\"farewell\": {}}", "of no known kind"},
        {with(hello, "\"n0\"", "\"../n0\""), "a node's name"},
        {with(hello, "\"n0\"", "\"\""), "a node's name"},
        {with(hello, "\"n0\"", "\"" + std::string(300, 'n') + "\""), "a node's name"},
        {with(hello, "mlx5_0", "../../etc"), "no RDMA port"},
        {with(hello, "mlx5_1:2", "mlx5_0"), "twice"},
        {with(hello, "\"node\":\"n0\",\"port\"", "\"node\":\"n1\",\"port\""), "another node"},
        {with(hello, "3.25", "-1"), "left_s"},
        {with(hello, "3.25", "1e300"), "left_s"},
        {with(hello, "1234", "-1"), "job"},
        {with(hello, "leaf0", std::string(5000, 'x')), "5000 bytes"},
        {with(round, "\"from\"", "\"up\""), "\"from\" or \"to\""},
        {with(round, "\"edge\":3", "\"edge\":262144"), "262143"},
        {with(round, end, end + "," + end), "an end twice"},
        {with(over, "\"about\":0", "\"about\":9"), "none of the ring's"},
        {with(over, "\"about\":0", "\"about\":1"), "none of the ring's"},
        {with(over, "\"about\":0,", ""), "about an edge of the ring"},
        {with(over, "\"broken\"", "\"fine\""), "no outcome"},
        {with(over, "\"sender\"", "\"friend\""), "no purpose"},
        {with(done, "[1.5,2.0]", "[-1.5]"), "gbps"},
        {with(
             done,
             "1.5,",
             std::string("1.5,") +
                 [] {
                     std::string many;
                     for (int i = 0; i < 64; ++i) {
                         many += "1.5,";
                     }
                     return many;
                 }()),
         "at most 64"},
    };
    for (const auto& [text, words] : cases) {
        const auto parsed = parse_cross_message(text);
        ASSERT_FALSE(parsed) << text;
        EXPECT_EQ(parsed.status().code(), ErrorCode::kMalformed);
        EXPECT_THAT(parsed.status().message(), HasSubstr(words)) << text.substr(0, 2000);
    }
}

TEST(CrossMessages, LongErrorIsCut) {
    const ReadyMessage ready{{{{}, RdmaOutcome::kFailed, std::string(10'000, '\xe9')}}};
    const auto parsed = parse_cross_message(to_text(ready));
    ASSERT_TRUE(parsed) << parsed.status().message();
}

TEST(CrossReadingJson, ReadsBackAsItWas) {
    CrossReading reading;
    reading.asked = reading.needed = reading.ended = true;
    reading.step = "measure 2 edges";
    reading.error = "the hub is gone";
    reading.max_loss = 0.2;
    reading.peers = over_of(2).peers;
    reading.edges = over_of(2).edges;
    const std::string text = to_json(reading).dump_exact();
    CrossReading back;
    const auto document = JsonDocument::parse(text);
    ASSERT_TRUE(document);
    const Status status = from_json(document->root(), back);
    ASSERT_TRUE(status) << status.message();
    EXPECT_TRUE(back.asked);
    EXPECT_EQ(to_json(back).dump_exact(), text);
    EXPECT_EQ(back.edges.at(1).about, 0u);
}

}  // namespace
}  // namespace yardmaster
