// Which counters of a port are looked at, how wide they are, and how fast they may grow.
#pragma once

#include <string_view>
#include <vector>

#include "healthcheck/counter_limits.hpp"

namespace yardmaster {

struct PortCounter {
    std::string_view file;  ///< below the port's folder: "counters/link_downed"
    /// Width in bits (kernel drivers/infiniband/core/sysfs.c, PORT_PMA_ATTR); hw_counters are the
    /// driver's own and taken for 64 bits wide: a wrap looks like a reset.
    unsigned bits;
    /// Growth that is no sign yet, per second, on a link of `gbps`; none (nullptr): any growth is
    /// one.
    double (*allowed_per_s)(const CounterLimits& limits, double gbps);
    bool advisory = false;  ///< congestion: told, never judged
};

/// Every counter whose growth is kept and looked at.
const std::vector<PortCounter>& port_counters();

}  // namespace yardmaster
