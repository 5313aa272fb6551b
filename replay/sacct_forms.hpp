// Values as sacct writes them.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace yardmaster {

/// A plain decimal number, 0 to 2^62; none for anything else.
std::optional<std::int64_t> parse_count(std::string_view text);

/// "2026-11-30T21:04:05" in seconds since 1970 as if in UTC, or plain seconds. sacct writes local
/// time without a zone, so across a change of clocks an hour is missing or counted twice.
std::optional<std::int64_t> parse_time_point(std::string_view text);

/// Elapsed, [days-]hours:minutes:seconds or minutes:seconds, with or without a fraction, or plain
/// seconds (ElapsedRaw); rounded down to seconds.
std::optional<std::int64_t> parse_duration(std::string_view text);

/// GPUs in a TRES string: "billing=64,cpu=64,gres/gpu=32,node=4" has 32. Counts by type
/// ("gres/gpu:h100=32") are added up where there is no total. 0 when it names none; none when a
/// count is no number.
std::optional<std::int64_t> gpus_in_tres(std::string_view tres);

}  // namespace yardmaster
