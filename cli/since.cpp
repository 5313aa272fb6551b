#include "cli/since.hpp"

#include <charconv>
#include <optional>

namespace yardmaster::cli {
namespace {

std::optional<std::time_t> before(const std::string& text, std::time_t now) {
    constexpr std::time_t kMinute = 60;
    constexpr long kMost = 1000000;
    long count = 0;
    const char* end = text.data() + text.size();
    const auto parsed = std::from_chars(text.data(), end, count);
    if (parsed.ec != std::errc() || parsed.ptr + 1 != end || count < 0 || count > kMost) {
        return std::nullopt;
    }
    switch (*parsed.ptr) {
        case 'm':
            return now - count * kMinute;
        case 'h':
            return now - count * 60 * kMinute;
        case 'd':
            return now - count * 24 * 60 * kMinute;
        default:
            return std::nullopt;
    }
}

}  // namespace

Result<std::time_t> parse_since(const std::string& text, std::time_t now) {
    if (const auto time = before(text, now)) {
        return *time;
    }
    for (const char* form : {"%Y-%m-%d", "%Y-%m-%dT%H:%M", "%Y-%m-%dT%H:%M:%S"}) {
        std::tm local{};
        local.tm_isdst = -1;
        const char* end = strptime(text.c_str(), form, &local);
        if (end != nullptr && *end == '\0') {
            return std::mktime(&local);
        }
    }
    return Status(
        ErrorCode::kInvalidArgument,
        "--since is \"" + text + "\", must be like 2026-11-30, 2026-11-30T21:04, 30m, 12h or 7d");
}

}  // namespace yardmaster::cli
