// Where a command writes, and how: passed in, so that tests can read what a command printed.
#pragma once

#include <ostream>

#include "base/status.hpp"
#include "cli/exit_codes.hpp"

namespace yardmaster::cli {

struct Console {
    std::ostream& out;
    std::ostream& err;
    bool unicode = false;  ///< box-drawing characters may be printed
};

/// Prints "yardmaster: <message>" to the error stream and returns the error's exit code.
ExitCode fail(const Console& console, const Status& error);

/// Whether the locale named by the environment (LC_ALL, LC_CTYPE, LANG, in this order) is UTF-8.
bool locale_is_utf8();

}  // namespace yardmaster::cli
