#include "cli/fabric_export.hpp"

#include <slurm/slurm.h>

#include <algorithm>
#include <cctype>

#include "cli/output_file.hpp"
#include "topology/slurm_order.hpp"

namespace yardmaster::cli {
namespace {

/// The series of Slurm that this program was built with: "22.05".
std::string built_for_slurm() {
    const std::string month = std::to_string(SLURM_VERSION_MINOR(SLURM_VERSION_NUMBER));
    return std::to_string(SLURM_VERSION_MAJOR(SLURM_VERSION_NUMBER)) +
           (month.size() == 1 ? ".0" : ".") + month;
}

Status check_prefix(const std::string& prefix) {
    const bool plain = std::all_of(prefix.begin(), prefix.end(), [](unsigned char c) {
        return std::isalnum(c) || c == '-' || c == '.' || c == '_';
    });
    // A digit at its end would run into the number.
    if (plain && !prefix.empty() && std::isalpha(static_cast<unsigned char>(prefix.front())) &&
        !std::isdigit(static_cast<unsigned char>(prefix.back()))) {
        return Status::ok();
    }
    return {
        ErrorCode::kInvalidArgument,
        "--prefix: \"" + prefix +
            "\" must begin with a letter, hold letters, digits and -._ only, and not end with a "
            "digit"};
}

Result<std::string> exported(const Fabric& fabric, const FabricExportOptions& options) {
    const auto series = parse_series(options.slurm.empty() ? built_for_slurm() : options.slurm);
    if (!series) {
        return series.status().with_context("--slurm");
    }
    if (options.format == "names") {
        const Status prefix = check_prefix(options.prefix);
        return prefix ? Result<std::string>(node_names_in_order(fabric, options.prefix)) : prefix;
    }
    return options.format == "block" ? topology_block(fabric, *series)
                                     : topology_tree(fabric, *series);
}

}  // namespace

ExitCode run_fabric_export(const FabricExportOptions& options, const Console& console) {
    const auto fabric = Fabric::load(options.file);
    if (!fabric) {
        return fail(console, fabric.status());
    }
    const auto text = exported(*fabric, options);
    if (text) {
        const Status written = write_output(options.output, *text, console);
        return written ? kExitOk : fail(console, written);
    }
    const ErrorCode code = text.status().code();
    const bool answered = code == ErrorCode::kMalformed || code == ErrorCode::kUnsupported;
    const ExitCode exit = fail(console, text.status());
    return answered ? kExitFindings : exit;
}

}  // namespace yardmaster::cli
