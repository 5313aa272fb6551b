// The command line of yardmaster-nccl-probe.
#pragma once

#include <functional>
#include <optional>

#include "healthcheck/nccl/nccl_measure.hpp"
#include "healthcheck/nccl/nccl_policy.hpp"

namespace CLI {
class App;
}

namespace yardmaster {

struct NcclProbeOptions {
    std::vector<std::string> gpus;  ///< UUIDs or PCI addresses, no GPU twice
    std::string cuda_library = NcclPolicy{}.cuda_library;
    std::string nccl_library = NcclPolicy{}.library;
    std::string nvml_library = "libnvidia-ml.so.1";  ///< turns PCI addresses into UUIDs
    std::chrono::milliseconds budget{30000};
    std::chrono::milliseconds max_init{30000};
    NcclSettings settings;  ///< uuids and deadline are not set yet
};

/// Reads the command line. None when the program is to end at once (--help, --version, a wrong
/// argument; all is printed by then) with `exit_status`.
std::optional<NcclProbeOptions> parse_nccl_probe_options(int argc, char** argv, int& exit_status);

/// Shows `see` the parser: the man page is written from it.
void see_nccl_probe_parser(const std::function<void(const CLI::App&)>& see);

}  // namespace yardmaster
