#include "healthcheck/rdma/rdma_address.hpp"

#include <charconv>
#include <cstdio>

#include "healthcheck/json_fields.hpp"

namespace yardmaster {
namespace {

constexpr std::size_t kGidTextSize = 39;
constexpr std::uint32_t kNumber24 = 0xffffff;
constexpr unsigned kLargestLid = 0xffff;

Status check_widths(const JsonNode& node, const RdmaAddress& address) {
    if (address.queue_pair > kNumber24 || address.packet_number > kNumber24) {
        return node.error("queue_pair and packet_number must have at most 24 bits");
    }
    if (address.lid > kLargestLid) {
        return node.error("lid must have at most 16 bits");
    }
    return Status::ok();
}

}  // namespace

std::string gid_text(const Gid& gid) {
    std::string text;
    for (std::size_t i = 0; i < gid.size(); i += 2) {
        char group[8];
        std::snprintf(group, sizeof group, "%s%02x%02x", i == 0 ? "" : ":", gid[i], gid[i + 1]);
        text += group;
    }
    return text;
}

Result<Gid> parse_gid(const std::string& text) {
    Gid gid{};
    const Status bad(ErrorCode::kMalformed,
                     "GID is \"" + text.substr(0, 80) + "\", must be eight groups of four digits");
    if (text.size() != kGidTextSize) {
        return bad;
    }
    for (std::size_t i = 0; i < gid.size(); ++i) {
        const std::size_t at = i / 2 * 5 + i % 2 * 2;
        const char* end = text.data() + at + 2;
        const auto parsed = std::from_chars(text.data() + at, end, gid[i], 16);
        if (parsed.ec != std::errc() || parsed.ptr != end ||
            (i % 2 == 0 && i > 0 && text[at - 1] != ':')) {
            return bad;
        }
    }
    return gid;
}

JsonValue to_json(const RdmaAddress& address) {
    return JsonValue::object()
        .set("queue_pair", address.queue_pair)
        .set("packet_number", address.packet_number)
        .set("lid", address.lid)
        .set("gid", gid_text(address.gid))
        .set("mtu_bytes", address.mtu_bytes)
        .set("buffer_address", address.buffer_address)
        .set("buffer_bytes", address.buffer_bytes)
        .set("buffer_key", address.buffer_key);
}

Status from_json(const JsonNode& node, RdmaAddress& address) {
    JsonFields fields(node);
    std::string gid;
    std::int64_t buffer_address = 0;  // above 2^63 it was written as a negative number
    fields.integer("queue_pair", address.queue_pair);
    fields.integer("packet_number", address.packet_number);
    fields.integer("lid", address.lid);
    fields.string("gid", gid);
    fields.integer("mtu_bytes", address.mtu_bytes);
    fields.integer("buffer_address", buffer_address);
    fields.integer("buffer_bytes", address.buffer_bytes);
    fields.integer("buffer_key", address.buffer_key);
    if (!fields.status()) {
        return fields.status();
    }
    const auto parsed = parse_gid(gid);
    if (!parsed) {
        return node.error(parsed.status().message());
    }
    address.gid = *parsed;
    address.buffer_address = static_cast<std::uint64_t>(buffer_address);
    return check_widths(node, address);
}

}  // namespace yardmaster
