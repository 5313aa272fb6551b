// How the probes take their arguments. For their own files only: it needs CLI11.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdio>

#include "base/status.hpp"

namespace yardmaster {

/// Parses the arguments into what `app`'s options fill in, then runs `convert() -> Status`. False
/// when the probe is to end with `exit_status`: 0 after --help or --version, 2 for wrong arguments;
/// what there is to say has been printed.
template <typename Convert>
bool take_probe_arguments(CLI::App& app, int argc, char** argv, Convert convert, int& exit_status) {
    constexpr int kUsageStatus = 2;
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        exit_status = app.exit(error) == 0 ? 0 : kUsageStatus;
        return false;
    }
    const Status status = convert();
    if (!status) {
        std::fprintf(stderr, "%s: %s\n", app.get_name().c_str(), status.message().c_str());
        exit_status = kUsageStatus;
    }
    return status.is_ok();
}

}  // namespace yardmaster
