// What sysfs says of InfiniBand and RoCE ports, unjudged.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "healthcheck/port/gid.hpp"

namespace yardmaster {

/// One counter file. Without a value its text was no number ("N/A (no PMA)") or unreadable.
struct CounterReading {
    std::optional<std::uint64_t> value;
    std::string text;  ///< what the file said, or the read error, when there is no value
};

/// One port, /sys/class/infiniband/<device>/ports/<port>/ (kernel drivers/infiniband/core/sysfs.c).
/// A member that is absent could not be read; `errors` says why.
struct PortReading {
    std::string device;
    unsigned port = 1;
    bool present = false;                   ///< the port's folder exists
    std::optional<std::string> state;       ///< "4: ACTIVE"
    std::optional<std::string> phys_state;  ///< "5: LinkUp"
    std::optional<std::string> rate;        ///< "400 Gb/sec (4X NDR)"
    std::optional<std::string> link_layer;  ///< "InfiniBand" or "Ethernet"
    /// "counters/link_downed", "hw_counters/out_of_sequence", ...; empty on virtual functions.
    std::map<std::string, CounterReading> counters;
    std::optional<std::string> netdev;            ///< its network interface; Ethernet only
    std::optional<std::string> operstate;         ///< of that interface: "up", "down", ...
    std::optional<std::vector<GidReading>> gids;  ///< read_gids; none: not read
    std::vector<std::string> errors;
};

/// The names below class/infiniband, to tell a missing device from a missing driver.
struct PortInventory {
    bool readable = false;
    std::vector<std::string> devices;  ///< sorted
    std::string error;                 ///< why it was not readable
};

}  // namespace yardmaster
