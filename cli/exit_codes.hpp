// What the shell learns from a `yardmaster` command. Documented in every subcommand's --help.
#pragma once

#include "base/status.hpp"

namespace yardmaster::cli {

enum ExitCode : int {
    kExitOk = 0,        ///< all is well
    kExitFindings = 1,  ///< the question was answered, and the answer is not "all is well"
    kExitUsage = 2,     ///< the command line is wrong
    kExitUnknown = 3,   ///< could not find out: a file, controller or device could not be read
};

/// The exit code for a command that ends with `error`: kInvalidArgument is the user's,
/// kInfeasible is an answer, everything else kept us from answering.
constexpr ExitCode exit_code_for(ErrorCode error) {
    switch (error) {
        case ErrorCode::kOk:
            return kExitOk;
        case ErrorCode::kInvalidArgument:
            return kExitUsage;
        case ErrorCode::kInfeasible:
            return kExitFindings;
        default:
            return kExitUnknown;
    }
}

}  // namespace yardmaster::cli
