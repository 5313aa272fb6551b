// What the RDMA probe measured, unjudged.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "healthcheck/rdma/rdma_baseline.hpp"
#include "healthcheck/rdma/rdma_plan.hpp"

namespace yardmaster {

/// How the measurement of a pair ended.
enum class RdmaOutcome {
    kMeasured,
    kFailed,       ///< could not be set up: `error`
    kNoGid,        ///< an active RoCE port without an address, or with only a link-local one
    kPortDown,     ///< the port is not active: the port check's business
    kUnreachable,  ///< no answer from the other side
    kBroken,       ///< answered, then an error, `wc_status`, or nothing any more: 0
    kBadData,      ///< other data arrived than were sent
    kTooSlow,      ///< no write completed in time
};

/// "measured", "failed", "no-gid", "port-down", "unreachable", "broken", "bad-data", "too-slow".
std::string_view to_string(RdmaOutcome outcome);
/// kMalformed for any other word.
Result<RdmaOutcome> parse_rdma_outcome(std::string_view word);

/// One end of a pair.
struct RdmaEndReading {
    RdmaPort port;
    std::string rate;      ///< sysfs `rate`, "400 Gb/sec (4X NDR)"; "" when unreadable
    std::string firmware;  ///< "28.39.1002"; has SIMULATED in it where that is so
    bool ethernet = false;
    unsigned mtu_bytes = 0;
    unsigned gid_index = 0;
    std::string gid;        ///< "" where none is used (InfiniBand inside a subnet)
    std::string gid_scope;  ///< to_string(GidScope); "" on InfiniBand
    std::string memory;     ///< "host", or "gpu <how it was registered>"
    /// What the device's PCIe link carries at its current speed and width; none when unreadable.
    std::optional<double> pcie_gbps;
};

struct RdmaPairReading {
    RdmaEndReading from;
    RdmaEndReading to;
    unsigned attempt = 1;  ///< 2: measured again because attempt 1 came out bad
    RdmaOutcome outcome = RdmaOutcome::kFailed;
    std::string failed_port;  ///< port_name of the end that failed; "" when it is the pair
    std::string error;        ///< one sentence; "" when measured
    int wc_status = 0;        ///< enum ibv_wc_status of the first completion with an error
    std::string wc_text;      ///< its name
    std::size_t message_bytes = 0;
    std::vector<double> gbps;          ///< payload of the windows, in order, Gb/s
    std::optional<double> latency_us;  ///< median of a small write until its acknowledgement
    RdmaPair pair() const { return {from.port, to.port}; }
};

/// All of one run.
struct RdmaReading {
    bool asked = false;   ///< the check was to run; else the rest is of no meaning
    bool needed = false;  ///< the policy says "on": not run is a finding
    std::string not_run;  ///< why it did not run; "" when it did
    std::string note;     ///< why earlier runs could not be used; "" when they could
    std::string step;     ///< what the probe began last: where it stands if it hangs
    bool ended = false;   ///< the probe came to its end
    double max_loss = 0;  ///< the policy's limits: see RdmaPolicy
    double min_share = 0;
    std::vector<RdmaPairReading> pairs;
    std::vector<RdmaBaseline> baseline;  ///< what these pairs did before
};

}  // namespace yardmaster
