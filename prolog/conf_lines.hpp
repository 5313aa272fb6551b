// The lexical side of Slurm's configuration files: from text to lines of Key=Value pairs.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace yardmaster {

/// A line with comments and escapes taken out and continued lines joined.
struct ConfLine {
    unsigned number = 0;  ///< of its first line in the file, from 1
    std::string text;
};

/// Lines that say something, in order.
std::vector<ConfLine> conf_lines(std::string_view file_content);

struct ConfPairs {
    std::vector<std::pair<std::string, std::string>> pairs;  ///< key in lower case, value unquoted
    std::string rest;                                        ///< what is no pair; "" in a good line
};

/// Splits "NodeName=a CPUs=4 Comment=\"x y\"" into its pairs.
ConfPairs conf_pairs(std::string_view line);

}  // namespace yardmaster
