// Small wording helpers for human output.
#pragma once

#include <cstdint>
#include <ctime>
#include <string>
#include <string_view>
#include <vector>

namespace yardmaster::cli {

/// count_of(1, "node") is "1 node", count_of(3, "node") is "3 nodes"; irregular plurals are given.
std::string count_of(std::uint64_t count, std::string_view noun, std::string_view plural = "");

/// Items joined with `separator`.
std::string join(const std::vector<std::string>& items, std::string_view separator = ", ");

/// At most three decimals, no trailing zeros: 1, 0.5, 12.125.
std::string number(double value);

/// What a switch unit of `tier` is called: leaf group, pod, core, then "tier 3 unit".
std::string tier_name(std::uint32_t tier);

/// Names as a host list expression; "-" when there are none.
std::string host_expression(const std::vector<std::string>& names);

/// Local time as Slurm writes it: 2026-11-30T21:04:05.
std::string time_text(std::time_t time);

/// The user's name, or the number when the system knows no such user.
std::string user_name(std::uint32_t uid);

}  // namespace yardmaster::cli
