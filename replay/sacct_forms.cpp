#include "replay/sacct_forms.hpp"

#include <charconv>
#include <vector>

namespace yardmaster {
namespace {

constexpr std::int64_t kMost = std::int64_t{1} << 62;
constexpr std::int64_t kDay = 86400;

std::vector<std::string_view> split(std::string_view text, char separator) {
    std::vector<std::string_view> parts;
    while (true) {
        const std::size_t end = text.find(separator);
        parts.push_back(text.substr(0, end));
        if (end == text.npos) {
            return parts;
        }
        text.remove_prefix(end + 1);
    }
}

/// Exactly `digits` digits, at most `most`.
std::optional<std::int64_t> fixed(std::string_view text, std::size_t digits, std::int64_t most) {
    const auto value = parse_count(text);
    return text.size() == digits && value && *value <= most ? value : std::nullopt;
}

/// Days from 1970-01-01 in the Gregorian calendar: years begin in March, so that leap days end
/// them.
std::int64_t days_of(std::int64_t year, std::int64_t month, std::int64_t day) {
    year -= month <= 2 ? 1 : 0;
    const std::int64_t day_of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
    return year * 365 + year / 4 - year / 100 + year / 400 + day_of_year - 719468;
}

std::optional<std::int64_t> parse_clock(std::string_view text) {
    const auto parts = split(text.substr(0, text.find('.')), ':');
    if (parts.size() < 2 || parts.size() > 3) {
        return std::nullopt;
    }
    std::int64_t seconds = 0;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        // A first part may be larger than the clock allows: "75:00" are minutes.
        const auto part = i == 0 ? parse_count(parts[i]) : fixed(parts[i], 2, 59);
        if (!part || *part > kMost / 1000000) {
            return std::nullopt;
        }
        seconds = seconds * 60 + *part;
    }
    return seconds;
}

}  // namespace

std::optional<std::int64_t> parse_count(std::string_view text) {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool whole = error == std::errc() && end == text.data() + text.size();
    return whole && value >= 0 && value <= kMost && text[0] != '-' ? std::optional(value)
                                                                   : std::nullopt;
}

std::optional<std::int64_t> parse_time_point(std::string_view text) {
    if (const auto seconds = parse_count(text)) {
        return seconds;
    }
    if (text.size() != 19 || text[4] != '-' || text[7] != '-' || text[10] != 'T' ||
        text[13] != ':' || text[16] != ':') {
        return std::nullopt;
    }
    const auto year = fixed(text.substr(0, 4), 4, 9999);
    const auto month = fixed(text.substr(5, 2), 2, 12);
    const auto day = fixed(text.substr(8, 2), 2, 31);
    const auto hour = fixed(text.substr(11, 2), 2, 23);
    const auto minute = fixed(text.substr(14, 2), 2, 59);
    const auto second = fixed(text.substr(17, 2), 2, 60);
    if (!year || *year < 1970 || !month || *month < 1 || !day || *day < 1 || !hour || !minute ||
        !second) {
        return std::nullopt;
    }
    return days_of(*year, *month, *day) * kDay + *hour * 3600 + *minute * 60 + *second;
}

std::optional<std::int64_t> parse_duration(std::string_view text) {
    if (const auto seconds = parse_count(text)) {
        return seconds;
    }
    const std::size_t dash = text.find('-');
    if (dash == text.npos) {
        return parse_clock(text);
    }
    const auto days = parse_count(text.substr(0, dash));
    const auto clock = parse_clock(text.substr(dash + 1));
    return days && *days < kMost / kDay / 2 && clock ? std::optional(*days * kDay + *clock)
                                                     : std::nullopt;
}

std::optional<std::int64_t> gpus_in_tres(std::string_view tres) {
    std::int64_t typed = 0;
    for (std::string_view entry : split(tres, ',')) {
        const std::size_t equals = entry.find('=');
        const std::string_view name = entry.substr(0, equals);
        if (name != "gres/gpu" && !name.starts_with("gres/gpu:")) {
            continue;
        }
        const auto count =
            equals == entry.npos ? std::nullopt : parse_count(entry.substr(equals + 1));
        if (!count || *count > kMost / 2 - typed || name == "gres/gpu") {
            return count;
        }
        typed += *count;
    }
    return typed;
}

}  // namespace yardmaster
