// What the prologs of one job's nodes measured between each other, unjudged.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "healthcheck/rdma/rdma_reading.hpp"

namespace yardmaster {

/// A rail of one of the job's nodes.
struct CrossPort {
    std::string node;   ///< Slurm's NodeName
    RdmaPort port;      ///< on that node
    unsigned rail = 0;  ///< equal numbers are meant to meet: the fabric file's GPU that it serves
    std::string leaf;   ///< the fabric file's leaf group of the node; "": under no switch
    bool operator==(const CrossPort&) const = default;
};

/// "hgx0001 mlx5_3"; with another port than 1 "hgx0001 mlx5_3:2".
std::string port_name(const CrossPort& port);

/// Why an edge is measured.
enum class CrossPurpose {
    kRing,      ///< a rail's nodes in a ring, each writes to the next
    kAgain,     ///< an edge of the ring that came out bad, once more
    kSender,    ///< that edge's sender to a third party
    kReceiver,  ///< a third party to that edge's receiver
};

/// "ring", "again", "sender", "receiver".
std::string_view to_string(CrossPurpose purpose);
/// kMalformed for any other word.
Result<CrossPurpose> parse_cross_purpose(std::string_view word);

/// Writes from one node's port to another node's port.
struct CrossEdge {
    CrossPort from;
    CrossPort to;
    CrossPurpose purpose = CrossPurpose::kRing;
    /// The edge of the ring that it is about, as its place in CrossReading::edges; of a ring's
    /// edge: none.
    std::optional<std::size_t> about;
    /// `from.port` and `to.port` are those above; `failed_port` names the end by port_name above.
    RdmaPairReading measured;
};

/// One of the job's nodes at the meeting.
struct CrossPeer {
    std::string node;
    bool came = false;
    std::string why;  ///< of one that did not come, or left: what is known; "" otherwise
};

/// All of one run, as each of the nodes keeps it.
struct CrossReading {
    bool asked = false;   ///< the check was to run; else the rest is of no meaning
    bool needed = false;  ///< the policy says "on": not run is a finding
    std::string not_run;  ///< why it did not run; "" when it did
    std::string step;     ///< what the probe began last: where it stands if it hangs
    std::string error;    ///< why the probe could not go on; "" when it could
    bool ended = false;   ///< the probe came to its end
    double max_loss = 0;  ///< the policy's limit: see CrossPolicy
    std::vector<CrossPeer> peers;
    std::vector<CrossEdge> edges;
};

}  // namespace yardmaster
