// Reads the one-line files of sysfs and procfs.
#pragma once

#include <string>

#include "base/status.hpp"

namespace yardmaster {

/// The content of `file` without blanks and line ends at its ends; at most the first 4096 bytes (a
/// sysfs attribute is at most one page). Errors: kNotFound, kUnreadable (with the system's reason).
Result<std::string> read_small_file(const std::string& file);

/// The same of `name` in the open folder `folder`, which messages call `path` (OpenFolder).
Result<std::string> read_small_file_at(int folder,
                                       const std::string& path,
                                       const std::string& name);

/// What errno says about `file`: kNotFound, or kUnreadable.
Status file_error(const std::string& file);

}  // namespace yardmaster
