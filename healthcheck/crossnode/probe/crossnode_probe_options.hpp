// The arguments of yardmaster-crossnode-probe.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "healthcheck/crossnode/cross_message.hpp"
#include "healthcheck/rdma/measure.hpp"

namespace CLI {
class App;
}

namespace yardmaster {

struct CrossProbeOptions {
    HelloMessage hello;              ///< `left_s` is not set yet
    std::vector<std::string> nodes;  ///< the first one is the hub
    std::string hub_address;
    std::uint16_t tcp_port = 6830;
    std::chrono::nanoseconds meet{1'500'000'000};
    std::chrono::nanoseconds budget{3'000'000'000};
    double max_loss = 0.2;
    std::string munge_library = "libmunge.so.2";
    std::string munge_socket;
    std::string verbs_library = "libibverbs.so.1";
    MeasureSettings measure;
};

/// None when the program is to end at once (--help, --version, a wrong argument; all is printed by
/// then) with `exit_status`.
std::optional<CrossProbeOptions> parse_crossnode_probe_options(int argc,
                                                               char** argv,
                                                               int& exit_status);

/// Shows `see` the parser: the man page is written from it.
void see_crossnode_probe_parser(const std::function<void(const CLI::App&)>& see);

}  // namespace yardmaster
