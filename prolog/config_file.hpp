// Reads configuration files that may lie on a hanging network file system.
#pragma once

#include <string>

#include "base/status.hpp"
#include "healthcheck/budget/child.hpp"

namespace yardmaster {

/// The content of `file`, read in a child that is given up at `deadline`. Errors: kNotFound,
/// kUnreadable, kTimeout, kInternal.
Result<std::string> read_config_file(const std::string& file, Clock::time_point deadline);

}  // namespace yardmaster
