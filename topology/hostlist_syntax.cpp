#include "topology/hostlist_syntax.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <string>

namespace yardmaster {
namespace {

// MAX_RANGE of Slurm's src/common/hostlist.c (22.05 to 24.11): more in one range is refused there.
constexpr std::size_t kMaxRange = 64 * 1024;
// Wider numbers overflow the unsigned long that Slurm keeps them in.
constexpr std::size_t kMaxDigits = 18;

Status malformed(std::string_view item, std::string_view complaint) {
    return {ErrorCode::kMalformed,
            "host list \"" + std::string(item) + "\": " + std::string(complaint)};
}

bool is_blank(char c) {
    return c == ' ' || c == '\t';
}

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && is_blank(text.front())) {
        text.remove_prefix(1);
    }
    while (!text.empty() && is_blank(text.back())) {
        text.remove_suffix(1);
    }
    return text;
}

bool is_host_character(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_' || c == '.';
}

bool parse_number(std::string_view digits, std::size_t& number) {
    if (digits.empty() || digits.size() > kMaxDigits) {
        return false;
    }
    const auto [end, error] = std::from_chars(digits.begin(), digits.end(), number);
    return error == std::errc() && end == digits.end();
}

/// Names in one "7" or "07-12"; 0 when it is neither.
std::size_t range_size(std::string_view range) {
    const std::size_t dash = range.find('-');
    std::size_t low = 0;
    if (!parse_number(range.substr(0, dash), low)) {
        return 0;
    }
    std::size_t high = low;
    if (dash != std::string_view::npos && !parse_number(range.substr(dash + 1), high)) {
        return 0;
    }
    return high < low ? 0 : high - low + 1;
}

Result<std::size_t> count_ranges(std::string_view item, std::string_view inside) {
    std::size_t count = 0;
    while (true) {
        const std::size_t comma = inside.find(',');
        const std::size_t size = range_size(inside.substr(0, comma));
        if (size == 0) {
            return malformed(item,
                             "bad range \"" + std::string(inside.substr(0, comma)) +
                                 "\" in []: write numbers and low-high ranges");
        }
        if (size > kMaxRange) {
            return malformed(item,
                             "a range of " + std::to_string(size) + " names: Slurm takes " +
                                 std::to_string(kMaxRange) + " at most");
        }
        count += size;
        if (comma == std::string_view::npos) {
            return count;
        }
        inside.remove_prefix(comma + 1);
    }
}

Status too_many(std::string_view item, std::size_t limit) {
    return malformed(item, "stands for more than " + std::to_string(limit) + " names");
}

}  // namespace

Result<std::vector<std::string_view>> split_hostlist(std::string_view expression) {
    std::vector<std::string_view> items;
    std::size_t start = 0;
    bool inside = false;
    for (std::size_t i = 0; i <= expression.size(); ++i) {
        const char c = i < expression.size() ? expression[i] : ',';
        if (i == expression.size() && inside) {
            return malformed(expression, "\"[\" without \"]\"");
        }
        if ((c == '[' && inside) || (c == ']' && !inside)) {
            return malformed(expression, "brackets do not match");
        }
        inside = c == '[' || (inside && c != ']');
        if (c == ',' && !inside) {
            const std::string_view item = trimmed(expression.substr(start, i - start));
            if (!item.empty()) {
                items.push_back(item);
            }
            start = i + 1;
        }
    }
    return items;
}

Result<std::size_t> count_hosts(std::string_view item, std::size_t limit) {
    std::size_t count = 1;
    std::string_view rest = item;
    while (true) {
        const std::size_t open = rest.find('[');
        const std::string_view plain = rest.substr(0, open);
        if (!std::all_of(plain.begin(), plain.end(), is_host_character)) {
            return malformed(item, "host names have letters, digits, '-', '_' and '.' only");
        }
        if (open == std::string_view::npos) {
            // Slurm itself refuses text after the last bracket, without saying so.
            const bool trailing = !plain.empty() && plain.size() != item.size();
            return trailing ? malformed(item, "text after the last \"]\"")
                            : Result<std::size_t>(count);
        }
        const std::size_t close = rest.find(']', open);
        if (close == std::string_view::npos) {
            return malformed(item, "\"[\" without \"]\"");
        }
        auto ranges = count_ranges(item, rest.substr(open + 1, close - open - 1));
        if (!ranges) {
            return ranges;
        }
        if (*ranges > limit / count) {
            return too_many(item, limit);
        }
        count *= *ranges;
        rest.remove_prefix(close + 1);
    }
}

}  // namespace yardmaster
