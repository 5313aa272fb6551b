// Where a command's product goes: standard output, or a file that is never seen half written.
#pragma once

#include <string>
#include <string_view>

#include "cli/console.hpp"

namespace yardmaster::cli {

/// Writes `text` to `file`, or to the console when `file` is "". A file is written beside its name
/// and then takes it, so that a reader finds the old one or the new one; it keeps the old one's
/// mode. kUnreadable: the file system would not have it.
Status write_output(const std::string& file, std::string_view text, const Console& console);

}  // namespace yardmaster::cli
