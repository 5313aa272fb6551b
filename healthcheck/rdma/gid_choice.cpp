#include "healthcheck/rdma/gid_choice.hpp"

#include <algorithm>
#include <string>
#include <tuple>

namespace yardmaster {
namespace {

constexpr std::size_t kPrefixBytes = 8;
constexpr GidScope kScopes[] = {
    GidScope::kRoutable, GidScope::kUniqueLocal, GidScope::kLinkLocal, GidScope::kNone};

/// ::ffff:a.b.c.d
bool is_ipv4(const Gid& gid) {
    return std::all_of(gid.begin(), gid.begin() + 10, [](std::uint8_t b) { return b == 0; }) &&
           gid[10] == 0xff && gid[11] == 0xff;
}

GidScope ipv4_scope(const Gid& gid) {
    if (gid[12] == 0 || gid[12] == 127 || gid[12] >= 224) {  // "this network", loopback, multicast
        return GidScope::kNone;
    }
    return gid[12] == 169 && gid[13] == 254 ? GidScope::kLinkLocal : GidScope::kRoutable;
}

auto rank(const GidEntry& entry) {
    return std::make_tuple(scope_of(entry.gid), !is_ipv4(entry.gid), entry.index);
}

}  // namespace

std::string_view to_string(GidScope scope) {
    switch (scope) {
        case GidScope::kRoutable:
            return "routable";
        case GidScope::kUniqueLocal:
            return "ula";
        case GidScope::kLinkLocal:
            return "link-local";
        case GidScope::kNone:
            break;
    }
    return "none";
}

Result<GidScope> parse_gid_scope(std::string_view word) {
    for (const GidScope scope : kScopes) {
        if (word == to_string(scope)) {
            return scope;
        }
    }
    return Status(
        ErrorCode::kMalformed,
        "GID scope is \"" + std::string(word) + "\", must be routable, ula, link-local or none");
}

GidScope scope_of(const Gid& gid) {
    if (is_ipv4(gid)) {
        return ipv4_scope(gid);
    }
    if (gid[0] == 0xfe && (gid[1] & 0xc0) == 0x80) {
        return GidScope::kLinkLocal;
    }
    if ((gid[0] & 0xfe) == 0xfc) {
        return GidScope::kUniqueLocal;
    }
    return (gid[0] & 0xe0) == 0x20 ? GidScope::kRoutable : GidScope::kNone;  // 2000::/3: RFC 4291
}

std::optional<GidEntry> choose_roce_gid(const std::vector<GidEntry>& entries) {
    std::optional<GidEntry> best;
    for (const GidEntry& entry : entries) {
        const bool usable =
            entry.type == GidType::kRoceV2 && scope_of(entry.gid) != GidScope::kNone;
        if (usable && (!best || rank(entry) < rank(*best))) {
            best = entry;
        }
    }
    return best;
}

bool lags_behind(GidScope own, GidScope peer) {
    return own == GidScope::kLinkLocal && peer < GidScope::kLinkLocal;
}

bool other_subnet(const Gid& a, const Gid& b) {
    return !std::equal(a.begin(), a.begin() + kPrefixBytes, b.begin());
}

}  // namespace yardmaster
