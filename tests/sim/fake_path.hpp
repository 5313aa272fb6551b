// What becomes of writes between two simulated ports.
#pragma once

#include <string>

#include "tests/sim/rdma_scenario.hpp"
#include "tests/sim/wire_folder.hpp"

namespace yardmaster::sim {

struct FakePath {
    std::string from;  ///< names that no two ports of all that one process writes to share
    std::string to;
    bool silent = true;   ///< nobody answers
    bool breaks = false;  ///< an error after some good writes
    bool spoils = false;  ///< one byte arrives wrong
    double gbps = 1;      ///< payload that it carries
};

/// By the scenarios and sysfs trees of both nodes, as they are now. A node's own wishes
/// (`separate`, `cuts`) are the sender's.
FakePath path_between(const WireEnd& from, const WireEnd& to);

}  // namespace yardmaster::sim
