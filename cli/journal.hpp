// `yardmaster journal`: incidents over time, counted over the journals of one or more nodes.
#pragma once

#include <string>
#include <vector>

#include "cli/console.hpp"

namespace yardmaster::cli {

struct JournalOptions {
    std::vector<std::string> files;  ///< none: this node's, with the one before it
    std::string since;               ///< as parse_since; "": everything
    bool json = false;
};

/// 0: counted; 2: --since is no time; 3: a file cannot be read. Lines that are no entries are told.
ExitCode run_journal(const JournalOptions& options, const Console& console);

}  // namespace yardmaster::cli
