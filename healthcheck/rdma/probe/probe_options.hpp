// The command line of yardmaster-rdma-probe.
#pragma once

#include <functional>
#include <optional>

#include "healthcheck/rdma/measure.hpp"

namespace CLI {
class App;
}

namespace yardmaster {

struct ProbeOptions {
    std::vector<RdmaPair> pairs;  ///< what to measure, in order
    bool list = false;            ///< only list devices, ports and GIDs
    std::string library = "libibverbs.so.1";
    MeasureSettings settings;
};

/// Reads the command line. None when the program is to end at once (--help, --version, a wrong
/// argument; all is printed by then) with `exit_status`.
std::optional<ProbeOptions> parse_probe_options(int argc, char** argv, int& exit_status);

/// Shows `see` the parser: the man page is written from it.
void see_probe_parser(const std::function<void(const CLI::App&)>& see);

}  // namespace yardmaster
