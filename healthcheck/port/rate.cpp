#include "healthcheck/port/rate.hpp"

#include <charconv>

namespace yardmaster {
namespace {

constexpr std::string_view kBlanks = " \t\r\n";

std::string_view trim(std::string_view text) {
    const auto first = text.find_first_not_of(kBlanks);
    if (first == std::string_view::npos) {
        return {};
    }
    return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

/// Takes a number off the front of `text`.
template <typename Number>
bool take_number(std::string_view& text, Number& number) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc()) {
        return false;
    }
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return true;
}

bool take_prefix(std::string_view& text, std::string_view prefix) {
    if (!text.starts_with(prefix)) {
        return false;
    }
    text.remove_prefix(prefix.size());
    return true;
}

/// Reads "(4X NDR)", "(1X)" or nothing into `rate`.
bool read_width_and_speed(std::string_view text, PortRate& rate) {
    text = trim(text);
    if (text.empty()) {
        return true;
    }
    if (!text.ends_with(')') || !take_prefix(text, "(") || !take_number(text, rate.width) ||
        !take_prefix(text, "X")) {
        return false;
    }
    text.remove_suffix(1);
    rate.speed = trim(text);
    return rate.width > 0;
}

Status malformed(std::string_view what, std::string_view text, std::string_view form) {
    return {ErrorCode::kMalformed,
            std::string(what) + " is \"" + std::string(text) + "\", expected the form \"" +
                std::string(form) + "\""};
}

}  // namespace

Result<PortRate> parse_port_rate(std::string_view text) {
    PortRate rate;
    std::string_view rest = trim(text);
    if (!take_number(rest, rate.gbps) || !take_prefix(rest, " Gb/sec") ||
        !read_width_and_speed(rest, rate) || !(rate.gbps > 0) || rate.gbps > 1e6) {
        return malformed("rate", trim(text), "400 Gb/sec (4X NDR)");
    }
    return rate;
}

Result<PortState> parse_port_state(std::string_view text) {
    PortState state;
    std::string_view rest = trim(text);
    if (!take_number(rest, state.number) || !take_prefix(rest, ":")) {
        return malformed("state", trim(text), "4: ACTIVE");
    }
    state.name = trim(rest);
    return state;
}

}  // namespace yardmaster
