#include "topology/host_ranges.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <map>
#include <utility>

#include "topology/hostlist_syntax.hpp"

namespace yardmaster {
namespace {

constexpr std::size_t kMaxDigits = 18;  // as Slurm's unsigned long holds them
constexpr std::size_t kMaxHosts = 200000;

bool is_digit(char c) {
    return std::isdigit(static_cast<unsigned char>(c)) != 0;
}

std::uint64_t number_of(std::string_view digits) {
    std::uint64_t number = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), number);
    return number;
}

/// One host, without brackets.
HostRange plain_host(std::string_view name) {
    std::size_t digits = 0;
    while (digits < name.size() && is_digit(name[name.size() - digits - 1])) {
        ++digits;
    }
    if (digits == 0 || digits > kMaxDigits) {
        return {name, 0, 0, 0};
    }
    const std::uint64_t number = number_of(name.substr(name.size() - digits));
    return {
        name.substr(0, name.size() - digits), number, number, static_cast<std::uint32_t>(digits)};
}

/// "07" or "07-12", which count_hosts has found to be so.
HostRange range_of(std::string_view prefix, std::string_view text) {
    const std::size_t dash = std::min(text.find('-'), text.size());
    const std::string_view low = text.substr(0, dash);
    const std::string_view high = dash == text.size() ? low : text.substr(dash + 1);
    return {prefix, number_of(low), number_of(high), static_cast<std::uint32_t>(low.size())};
}

Status append(std::string_view item, std::vector<HostRange>& ranges) {
    if (const auto count = count_hosts(item, kMaxHosts); !count) {
        return count.status();
    }
    const std::size_t open = item.find('[');
    if (open == std::string_view::npos) {
        ranges.push_back(plain_host(item));
        return Status::ok();
    }
    const std::size_t close = item.find(']');
    if (close + 1 != item.size() || (open > 0 && is_digit(item[open - 1]))) {
        return {ErrorCode::kMalformed,
                "host list \"" + std::string(item.substr(0, 60)) +
                    "\": only one [] at the end of a name, after no digit, is understood"};
    }
    for (std::string_view inside = item.substr(open + 1, close - open - 1); !inside.empty();) {
        const std::size_t comma = std::min(inside.find(','), inside.size());
        ranges.push_back(range_of(item.substr(0, open), inside.substr(0, comma)));
        inside.remove_prefix(std::min(comma + 1, inside.size()));
    }
    return Status::ok();
}

std::uint32_t narrow(std::uint64_t number) {
    return static_cast<std::uint32_t>(number);
}

/// The least number that is written alike with `width` and with `other` digits at least.
std::uint64_t least_alike(std::uint32_t width, std::uint32_t other) {
    if (width == other) {
        return 0;
    }
    if (std::min(width, other) == 0) {
        return UINT64_MAX;  // only one of the names has a number
    }
    std::uint64_t least = 1;
    for (std::uint32_t digits = std::max(width, other); digits > 1; --digits) {
        least *= 10;
    }
    return least;
}

/// Hosts to look others up among.
class HostSet {
  public:
    explicit HostSet(std::span<const HostRange> ranges) {
        for (const HostRange& range : ranges) {
            by_name_[{range.prefix, range.width}].emplace_back(range.first, range.last);
        }
        for (auto& [name, numbers] : by_name_) {
            std::sort(numbers.begin(), numbers.end());
        }
    }

    /// Calls visit(first, last) for every piece of `range` that is in the set, in no order.
    template <typename Visit>
    void for_each_in(const HostRange& range, Visit visit) const {
        for (auto group = by_name_.lower_bound({range.prefix, 0});
             group != by_name_.end() && group->first.first == range.prefix;
             ++group) {
            const std::uint64_t low =
                std::max(range.first, least_alike(range.width, group->first.second));
            visit_pieces(group->second, low, range.last, visit);
        }
    }

  private:
    using Numbers = std::pair<std::uint64_t, std::uint64_t>;  // first, last

    template <typename Visit>
    static void visit_pieces(const std::vector<Numbers>& numbers,
                             std::uint64_t low,
                             std::uint64_t high,
                             Visit visit) {
        auto piece = std::lower_bound(
            numbers.begin(), numbers.end(), low, [](const Numbers& each, std::uint64_t number) {
                return each.second < number;
            });
        for (; piece != numbers.end() && piece->first <= high; ++piece) {
            const std::uint64_t first = std::max(piece->first, low);
            const std::uint64_t last = std::min(piece->second, high);
            if (first <= last) {
                visit(first, last);
            }
        }
    }

    std::map<std::pair<std::string_view, std::uint32_t>, std::vector<Numbers>> by_name_;
};

/// What of one range is in the set.
struct Share {
    std::uint64_t count = 0;
    std::uint64_t least = UINT64_MAX;    // number of the first
    std::optional<std::uint64_t> place;  // of `host` among them
};

Share share_of(const HostRange& range, const HostSet& wanted, const HostSet& host) {
    std::optional<std::uint64_t> mine;
    host.for_each_in(range, [&](std::uint64_t number, std::uint64_t) { mine = number; });
    Share share;
    std::uint64_t before = 0;
    wanted.for_each_in(range, [&](std::uint64_t first, std::uint64_t last) {
        share.count += last - first + 1;
        share.least = std::min(share.least, first);
        if (mine && first < *mine) {
            before += std::min(last + 1, *mine) - first;
        }
        if (mine && first <= *mine && *mine <= last) {
            share.place = 0;
        }
    });
    if (share.place) {
        share.place = before;
    }
    return share;
}

}  // namespace

std::string HostRange::name(std::uint64_t number) const {
    if (width == 0) {
        return std::string(prefix);
    }
    const std::string digits = std::to_string(number);
    const std::size_t zeros = width > digits.size() ? width - digits.size() : 0;
    return std::string(prefix) + std::string(zeros, '0') + digits;
}

Result<std::vector<HostRange>> host_ranges(std::string_view expression) {
    const auto items = split_hostlist(expression);
    if (!items) {
        return items.status();
    }
    std::vector<HostRange> ranges;
    for (const std::string_view item : *items) {
        if (Status status = append(item, ranges); !status) {
            return status;
        }
    }
    return ranges;
}

HostsIn hosts_in(std::span<const HostRange> ordered,
                 std::span<const HostRange> wanted,
                 std::string_view host) {
    const HostRange looked_for = plain_host(host);
    const HostSet wanted_set(wanted);
    const HostSet host_set({&looked_for, 1});
    HostsIn result;
    for (const HostRange& range : ordered) {
        const Share share = share_of(range, wanted_set, host_set);
        if (share.place) {
            result.place = result.count + narrow(*share.place);
        }
        if (result.count == 0 && share.count > 0) {
            result.first = range.name(share.least);
        }
        result.count += narrow(share.count);
    }
    return result;
}

}  // namespace yardmaster
