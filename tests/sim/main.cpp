// ym-sim-node: makes and damages simulated nodes for tests and the demo.
#include <cstdio>
#include <string_view>

#include "tests/sim/commands.hpp"
#include "tests/sim/options.hpp"

namespace yardmaster::sim {
namespace {

Status run(const std::string& name, const SimNode& node, const Arguments& arguments) {
    if (name != "create") {
        return run_command(name, node, arguments);
    }
    const auto settings = parse_options(arguments);
    return settings ? node.create(*settings) : settings.status();
}

}  // namespace
}  // namespace yardmaster::sim

int main(int argc, char** argv) {
    using namespace yardmaster::sim;
    if (argc == 2 && std::string_view(argv[1]) == "--help") {
        std::fputs(command_usage().c_str(), stdout);
        return 0;
    }
    if (argc < 3) {
        std::fputs(command_usage().c_str(), stderr);
        return 2;
    }
    const auto status = run(argv[1], SimNode(argv[2]), {argv + 3, argv + argc});
    if (!status) {
        std::fprintf(stderr, "ym-sim-node: %s\n", status.message().c_str());
        return 1;
    }
    return 0;
}
