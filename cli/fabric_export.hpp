// `yardmaster fabric export`: what makes Slurm rank nodes by their place in the fabric.
#pragma once

#include <string>

#include "cli/console.hpp"

namespace yardmaster::cli {

struct FabricExportOptions {
    std::string file;
    std::string format;           ///< tree, block, names
    std::string slurm;            ///< "24.11"; "": the one this program was built for
    std::string prefix = "node";  ///< names
    std::string output;           ///< "": standard output
};

/// 0: written; 1: the fabric or that Slurm has no such thing; 2: bad command line; 3: the fabric
/// file cannot be read, or the output not written.
ExitCode run_fabric_export(const FabricExportOptions& options, const Console& console);

}  // namespace yardmaster::cli
