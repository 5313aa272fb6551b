// What the two sides of a connection tell each other before they connect: through memory on one
// node, as JSON between two.
#pragma once

#include <array>
#include <cstdint>

#include "base/json_value.hpp"

namespace yardmaster {

/// A global identifier, in network byte order: an IPv6 address, or an IPv4-mapped one, on RoCE.
using Gid = std::array<std::uint8_t, 16>;

struct RdmaAddress {
    std::uint32_t queue_pair = 0;      ///< 24 bits
    std::uint32_t packet_number = 0;   ///< first packet sequence number, 24 bits
    unsigned lid = 0;                  ///< 0 on RoCE
    Gid gid{};                         ///< all zero where none is needed
    unsigned mtu_bytes = 0;            ///< the smaller one of both sides is used
    std::uint64_t buffer_address = 0;  ///< start of the registered memory
    std::uint64_t buffer_bytes = 0;
    std::uint32_t buffer_key = 0;  ///< remote key of that memory
    bool operator==(const RdmaAddress&) const = default;
};

JsonValue to_json(const RdmaAddress& address);
/// Reads what to_json wrote, of a peer that is not trusted: kMalformed outside the widths above.
Status from_json(const JsonNode& node, RdmaAddress& address);

/// "fe80:0000:...:0001", always 39 characters.
std::string gid_text(const Gid& gid);
/// Reads gid_text's form; kMalformed for any other.
Result<Gid> parse_gid(const std::string& text);

}  // namespace yardmaster
