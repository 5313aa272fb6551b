// `yardmaster evidence`: one bundle for people.
#pragma once

#include <string>

#include "cli/console.hpp"

namespace yardmaster::cli {

struct EvidenceOptions {
    std::string id;
    std::string directory;  ///< "": the policy's folder for the node
    bool json = false;
};

/// 0: shown; 2: no evidence id; 3: it is not here (then it says where), or cannot be read.
ExitCode run_evidence(const EvidenceOptions& options, const Console& console);

}  // namespace yardmaster::cli
