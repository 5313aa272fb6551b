// A point in the past, as people write it.
#pragma once

#include <ctime>
#include <string>

#include "base/status.hpp"

namespace yardmaster::cli {

/// "2026-11-30", "2026-11-30T21:04", "2026-11-30T21:04:05" in local time, or that long before
/// `now`: "30m", "12h", "7d". kInvalidArgument naming the forms.
Result<std::time_t> parse_since(const std::string& text, std::time_t now);

}  // namespace yardmaster::cli
