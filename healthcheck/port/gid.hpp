// The GIDs of a port: the addresses that RDMA connections use.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "healthcheck/open_folder.hpp"

namespace yardmaster {

/// One entry of a port's GID table that is in use.
struct GidReading {
    unsigned index = 0;
    std::string gid;   ///< "0000:0000:0000:0000:0000:ffff:0a00:0001", as sysfs writes it
    std::string type;  ///< gid_attrs/types: "IB/RoCE v1" or "RoCE v2"; "" when unreadable
};

/// Whether a RoCE connection to another subnet can use it: RoCE v2, not link-local.
bool usable_for_roce(const GidReading& gid);

/// Reads the table of the port in folder `port`: entry 0 alone on InfiniBand; on Ethernet entries
/// in order, up to the first usable one (most of its 256 are empty, and one is enough). Empty
/// entries are left out. None when the table cannot be read.
std::optional<std::vector<GidReading>> read_gids(const OpenFolder& port, bool ethernet);

}  // namespace yardmaster
