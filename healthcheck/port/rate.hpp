// The texts of a port's sysfs files, taken apart.
#pragma once

#include <string>
#include <string_view>

#include "base/status.hpp"

namespace yardmaster {

/// A port's `rate` file.
struct PortRate {
    double gbps = 0;     ///< nominal speed in Gb/s, > 0
    unsigned width = 0;  ///< lanes: 4 for "4X"; 0: not stated
    std::string speed;   ///< "NDR"; "" when not stated
};

/// Reads "400 Gb/sec (4X NDR)" or "2.5 Gb/sec (1X)" (kernel sysfs.c, rate_show). kMalformed for
/// anything else, also for a rate of zero, which empty cages show as "0 GB/sec".
Result<PortRate> parse_port_rate(std::string_view text);

/// A `state` or `phys_state` file: a number and its name.
struct PortState {
    unsigned number = 0;
    std::string name;
};

/// Reads "4: ACTIVE" (kernel sysfs.c, state_show and phys_state_show). kMalformed without a number
/// in front of a colon.
Result<PortState> parse_port_state(std::string_view text);

}  // namespace yardmaster
