// Separated values as sacct and spreadsheets write them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/status.hpp"

namespace yardmaster {

struct CsvRecord {
    std::size_t line = 0;  ///< where it begins, from 1
    std::vector<std::string> fields;
};

/// Splits `text` by RFC 4180: fields may be quoted with '"', and a quoted one may hold separators,
/// line ends and doubled quotes. The separator is '|' when the first record has one outside quotes
/// (sacct -P), else ','. Empty lines and lines that begin with '#' are left out; a byte order mark
/// and carriage returns before line ends are no part of a field. kMalformed with the line: a quote
/// that is never closed, or text after a closing quote.
Result<std::vector<CsvRecord>> parse_csv(std::string_view text);

}  // namespace yardmaster
