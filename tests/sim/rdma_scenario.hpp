// What the fake libibverbs does: DIR/rdma/rdma.json, written by ym-sim-node, read by the library.
// Devices, states and rates are those of the simulated sysfs.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/json.hpp"

namespace yardmaster::sim {

/// What a NIC does to writes.
struct SimPath {
    double share = 1;  ///< of its port's rate that it carries: 0.85 is a loss of 15 %
    /// "": none. "retry": no answer; "broken": an error after some good writes; "bad-data": one
    /// byte arrives wrong.
    std::string fault;
};

struct SimNic {
    /// All writes from it and to it. Here `fault` may also be "hang": opening it never returns;
    /// "no-gid": its table is empty; "gid-local": it has only the link-local entry.
    SimPath all;
    SimPath far_send;     ///< in addition, writes from it to other nodes
    SimPath far_receive;  ///< and from other nodes to it
};

/// Writes of one direction that do not arrive.
struct SimCut {
    std::string from;    ///< a NIC of this node
    std::string folder;  ///< of the other node
    std::string to;      ///< a NIC of that one
};

struct RdmaScenario {
    std::string firmware = "28.39.1002 SIMULATED";
    double noise = 0.015;   ///< standard deviation of one window's rate, as a share of it
    double dips = 0;        ///< share of windows that lose a third to the traffic of others
    unsigned seed = 0;      ///< of noise and dips; 0: another one in each run
    bool separate = false;  ///< each rail is a fabric of its own: only self loops are answered
    std::map<std::string, SimNic> nics;  ///< those that are not as they should be
    std::string wire;  ///< a folder that other nodes share (wire_folder.hpp); "": none is reached
    std::vector<SimCut> cuts;
};

Result<RdmaScenario> load_rdma_scenario(const std::string& file);
/// Replaces `file` whole.
Status save_rdma_scenario(const RdmaScenario& scenario, const std::string& file);

}  // namespace yardmaster::sim
