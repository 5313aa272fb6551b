// Which of a port's GIDs a connection is made with.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "healthcheck/rdma/rdma_address.hpp"

namespace yardmaster {

/// enum ibv_gid_type (verbs.h).
enum class GidType { kInfiniBand = 0, kRoceV1 = 1, kRoceV2 = 2 };

struct GidEntry {
    unsigned index = 0;  ///< in the port's table
    GidType type = GidType::kRoceV2;
    Gid gid{};
};

/// How far a GID's address reaches, farthest first.
enum class GidScope {
    kRoutable,     ///< IPv4, or a global IPv6 address
    kUniqueLocal,  ///< IPv6 ULA, fc00::/7 (RFC 4193): routed inside a site
    kLinkLocal,    ///< fe80::/10 or 169.254/16: reaches no other subnet
    kNone,         ///< all zero, or no address that packets can be sent to
};

/// "routable", "ula", "link-local" or "none", as written in readings.
std::string_view to_string(GidScope scope);
/// kMalformed for any other word.
Result<GidScope> parse_gid_scope(std::string_view word);

GidScope scope_of(const Gid& gid);

/// Whether a port with a GID of scope `own` has lost the address that its peer, of scope `peer`,
/// still has: a link-local one reaches no routable one.
bool lags_behind(GidScope own, GidScope peer);
/// What to say of such a port, behind its name.
inline constexpr const char* kLaggingGid =
    " has only a link-local GID, the other end a routable one: has its network interface lost its "
    "address?";

/// The entry to use on RoCE: only RoCE v2 (v1 has no IP header and passes no router), the farthest
/// scope first, IPv4 before IPv6 in the same scope (what NCCL's choice comes to), then the lowest
/// index. So the link-local entry that every port has at index 0 is taken last. None when no entry
/// of RoCE v2 has an address.
std::optional<GidEntry> choose_roce_gid(const std::vector<GidEntry>& entries);

/// Whether two InfiniBand ports are in different subnets (the first 64 bits of the GID,
/// IBTA 4.1.1), which only a router joins.
bool other_subnet(const Gid& a, const Gid& b);

}  // namespace yardmaster
