// What the nodes' probes tell each other at their meeting. One of them, the hub, is the job's first
// node: the others only ever talk to it. Every message travels as a munge credential (seal.hpp).
//
//   member            hub
//     hello   ->             who I am, which ports I have
//             <-  round      your ends of the edges that are measured next
//     ends    ->             where each of my ends can be reached, or why not
//             <-  connect    the other ends' addresses
//     ready   ->             my ends are connected
//             <-  go         the edges whose two ends are; senders begin to write
//     done    ->             what my ends saw
//             <-  round      ... as often as there is something to measure, then
//             <-  over       everything that was measured
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "healthcheck/crossnode/cross_reading.hpp"
#include "healthcheck/rdma/rdma_address.hpp"

namespace yardmaster {

/// Of another version's meeting nobody is a member: upgrades reach nodes one by one.
inline constexpr unsigned kMeetingVersion = 1;

/// Which meeting: prologs of an earlier start of the same job belong to another one.
struct MeetingId {
    std::uint32_t job = 0;
    std::uint32_t restarts = 0;  ///< SLURM_JOB_RESTART_COUNT
    bool operator==(const MeetingId&) const = default;
};

/// One node's ends of an edge are named by the edge's id, which is unique in a meeting, and a side.
enum class CrossSide { kFrom, kTo };
inline constexpr CrossSide kCrossSides[] = {CrossSide::kFrom, CrossSide::kTo};

/// The port of `edge` on that side. Borrowed.
inline const CrossPort& port_of(const CrossEdge& edge, CrossSide side) {
    return side == CrossSide::kFrom ? edge.from : edge.to;
}

struct CrossEnd {
    std::size_t edge = 0;
    CrossSide side = CrossSide::kFrom;
    bool operator==(const CrossEnd&) const = default;
    auto operator<=>(const CrossEnd&) const = default;
};

struct HelloMessage {
    unsigned version = kMeetingVersion;
    MeetingId meeting;
    std::string node;
    double left_s = 0;    ///< how long it can stay
    bool proven = false;  ///< all its ports have passed lately: it needs no test of its own
    std::vector<CrossPort> ports;
};

struct RoundMessage {
    struct Task {
        CrossEnd end;
        CrossPort own;
        CrossPort other;
    };
    std::vector<Task> tasks;  ///< may be empty: this round is the others'
};

/// An end that is made, or why it could not be.
struct OpenedEnd {
    CrossEnd end;
    std::optional<RdmaAddress> address;
    RdmaEndReading reading;
    RdmaOutcome outcome = RdmaOutcome::kFailed;  ///< without an address
    std::string error;                           ///< without an address
};
struct EndsMessage {
    std::vector<OpenedEnd> ends;
};

struct ConnectMessage {
    struct Peer {
        CrossEnd end;  ///< the receiver's own end
        RdmaAddress address;
    };
    std::vector<Peer> peers;
};

struct ReadyMessage {
    struct Connected {
        CrossEnd end;
        RdmaOutcome outcome = RdmaOutcome::kMeasured;  ///< else why not
        std::string error;
    };
    std::vector<Connected> ends;
};

struct GoMessage {
    std::vector<std::size_t> edges;
    double budget_s = 0;  ///< for all of them together; who answers much later is left out
};

/// What one end saw of the transfer.
struct EndResult {
    CrossEnd end;
    RdmaOutcome outcome = RdmaOutcome::kFailed;
    std::string error;
    int wc_status = 0;  ///< the sender's
    std::string wc_text;
    std::size_t message_bytes = 0;
    std::vector<double> gbps;          ///< the sender's
    std::optional<double> latency_us;  ///< the sender's
};
struct DoneMessage {
    std::vector<EndResult> ends;
};

struct OverMessage {
    std::string note;  ///< why nothing was measured; "" when something was
    std::vector<CrossPeer> peers;
    std::vector<CrossEdge> edges;
};

using CrossMessage = std::variant<HelloMessage,
                                  RoundMessage,
                                  EndsMessage,
                                  ConnectMessage,
                                  ReadyMessage,
                                  GoMessage,
                                  DoneMessage,
                                  OverMessage>;

/// "hello", "round", ..., as members are named in JSON and people's messages.
std::string_view name_of(const CrossMessage& message);

/// {"hello": {...}}, in one line. Errors are cut after 1000 bytes.
std::string to_text(const CrossMessage& message);

/// Reads what to_text wrote; the peer's node is trusted as far as its root is, its program is not:
/// numbers, texts and lists have their limits, names their form. kMalformed with the place of the
/// first fault.
Result<CrossMessage> parse_cross_message(const std::string& text);

}  // namespace yardmaster
