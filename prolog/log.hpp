// The prolog's log: syslog (facility daemon) for the site, stderr for slurmd's log.
#pragma once

#include <string>

namespace yardmaster {

enum class LogLevel { kInfo, kWarning, kError };

/// One line to syslog, by a child that is given up when syslog hangs, after which no further line
/// goes there; warnings and errors also to stderr. Call it from a single-threaded process.
void log_line(LogLevel level, const std::string& text);

}  // namespace yardmaster
