// A child that becomes another program: a probe.
#pragma once

#include <chrono>
#include <string>
#include <vector>

namespace yardmaster {

/// Replaces this process by the program words[0] with the arguments `words`, `fd` as its stdout and
/// no environment. Returns only when it cannot: the program and the system's reason.
std::string become_program(std::vector<std::string> words, int fd);

/// A time as probes take it: seconds, "1.500000".
std::string seconds_argument(std::chrono::milliseconds time);

}  // namespace yardmaster
