#include "topology/soft_mark.hpp"

#include <algorithm>
#include <charconv>

namespace yardmaster {
namespace {

// The parts of kSoftMarkForm between what is filled in.
constexpr std::string_view kBegin = R"({"yardmaster":{"soft":")";
constexpr std::string_view kSince = R"(","since":)";
constexpr std::string_view kUntil = R"(,"until":)";
constexpr std::string_view kEnd = "}}";

bool plain(char c) {
    return c >= ' ' && c <= '~' && c != '"' && c != '\\';
}

bool take(std::string_view part, std::string_view& text) {
    const bool there = text.starts_with(part);
    text.remove_prefix(there ? part.size() : 0);
    return there;
}

bool take_time(std::string_view& text, std::int64_t& time) {
    const auto [end, error] = std::from_chars(text.begin(), text.end(), time);
    const bool good = error == std::errc() && time >= 0;
    text.remove_prefix(good ? static_cast<std::size_t>(end - text.begin()) : 0);
    return good;
}

}  // namespace

std::string format_soft_mark(const SoftMark& mark) {
    std::string cause = mark.cause.substr(0, kSoftCauseMaxBytes);
    std::replace_if(
        cause.begin(), cause.end(), [](char c) { return !plain(c); }, '?');
    return std::string(kBegin) + cause + std::string(kSince) + std::to_string(mark.since) +
           std::string(kUntil) + std::to_string(mark.until) + std::string(kEnd);
}

std::optional<SoftMark> parse_soft_mark(std::string_view extra) {
    if (!take(kBegin, extra)) {
        return std::nullopt;
    }
    const std::string_view cause = extra.substr(0, extra.find('"'));
    SoftMark mark;
    extra.remove_prefix(cause.size());
    const bool good = cause.size() <= kSoftCauseMaxBytes &&
                      std::all_of(cause.begin(), cause.end(), plain) && take(kSince, extra) &&
                      take_time(extra, mark.since) && take(kUntil, extra) &&
                      take_time(extra, mark.until) && extra == kEnd;
    if (!good) {
        return std::nullopt;
    }
    mark.cause = cause;
    return mark;
}

}  // namespace yardmaster
