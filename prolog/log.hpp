// The prolog's log: syslog (facility daemon) for the site, stderr for slurmd's log.
#pragma once

#include <string>

namespace yardmaster {

enum class LogLevel { kInfo, kWarning, kError };

/// One line to syslog; warnings and errors also to stderr.
void log_line(LogLevel level, const std::string& text);

}  // namespace yardmaster
