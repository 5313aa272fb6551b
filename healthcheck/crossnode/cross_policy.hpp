// What a site may set of the check between a job's nodes: `health.crossnode` in yardmaster.json.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "healthcheck/check_mode.hpp"

namespace yardmaster {

/// The numbers are choices of this project. 100 ports: two jobs whose ids are a hundred apart and
/// that begin in the same second on the same first node are rare, and cost one of them the check.
struct CrossPolicy {
    CheckMode mode = CheckMode::kAuto;
    std::string probe = YM_LIBEXEC_DIR "/yardmaster-crossnode-probe";
    std::string munge_library = "libmunge.so.2";  ///< a name or path for dlopen
    /// Jobs of more nodes are left out in mode "auto": the hub's work grows with them.
    unsigned max_nodes = 64;
    std::uint16_t first_port = 6830;  ///< TCP; a job's is first_port + job id % ports
    std::uint16_t ports = 100;
    /// How long nodes wait for each other: their prologs begin within milliseconds, but a second
    /// look at one of them takes a second.
    std::chrono::milliseconds meet{1500};
    /// Bad: this share of what the other edges carry is lacking. More than between a node's own
    /// rails, since other jobs share the fabric.
    double max_loss = 0.20;
};

/// The nodes of the job that is checked, and how they find each other.
struct JobNodes {
    std::uint32_t restarts = 0;      ///< how often the job was requeued
    std::vector<std::string> nodes;  ///< NodeNames in the job's order; empty: no job, or not known
    std::string hub_address;         ///< of the first of them: a host name or an address
    std::string munge_socket;        ///< munged's; "" for munge's default
    std::string unknown;             ///< why the nodes cannot meet; "" when they can
};

}  // namespace yardmaster
