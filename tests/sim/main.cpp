// ym-sim-node: makes and damages simulated nodes for tests and the demo.
#include <cstdio>
#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "tests/sim/gpu_commands.hpp"
#include "tests/sim/link_commands.hpp"
#include "tests/sim/model.hpp"
#include "tests/sim/nccl_commands.hpp"
#include "tests/sim/options.hpp"
#include "tests/sim/rdma_commands.hpp"
#include "tests/sim/sim_node.hpp"

namespace yardmaster::sim {
namespace {

constexpr const char* kUsage =
    "usage: ym-sim-node COMMAND DIR [ARGUMENT...]\n"
    "  create DIR [--node NAME] [--gpus N] [--rails NIC,...] [--rate GBPS] [--model NAME]\n"
    "             [--minors N,...] [--library FILE] [--virtual-functions N] [--ports 1|2]\n"
    "             --model first: the others change it\n"
    "  heal DIR                          back to the state after create\n"
    "  set-rate DIR NIC GBPS             e.g. set-rate DIR mlx5_3 100\n"
    "  port-down DIR NIC                 1: DOWN, 2: Polling, rate 10\n"
    "  port-init DIR NIC                 2: INIT, as without a subnet manager\n"
    "  nic-gone DIR NIC\n"
    "  set-counter DIR NIC FILE TEXT     e.g. set-counter DIR mlx5_3 counters/link_downed 255\n";

constexpr const char* kLibraryUsage =
    "  nvml-error DIR CODE               nvmlInit_v2 fails with this code\n"
    "  hang DIR SECONDS                  nvmlInit_v2 sleeps\n"
    "  fabric-version DIR N              newest fabric structure of the library; 0: none\n"
    "GPUs are named by device minor (the N of /dev/nvidiaN).\n";

std::map<std::string, Command> port_commands() {
    return {
        {"heal", {0, [](auto& node, auto&) { return node.heal(); }}},
        {"set-rate",
         {2,
          [](auto& node, auto& a) {
              return with_number(a[1], [&](unsigned n) { return node.set_rate(a[0], n); });
          }}},
        {"port-down",
         {1, [](auto& node, auto& a) { return node.set_port(a[0], "1: DOWN", "2: Polling"); }}},
        {"port-init",
         {1, [](auto& node, auto& a) { return node.set_port(a[0], "2: INIT", "5: LinkUp"); }}},
        {"nic-gone", {1, [](auto& node, auto& a) { return node.remove_nic(a[0]); }}},
        {"set-counter",
         {3, [](auto& node, auto& a) { return node.set_counter(a[0], a[1], a[2]); }}},
    };
}

/// Sets one member of the scenario to a number.
template <typename Member>
Command scenario_command(Member Scenario::*member) {
    return {1, [member](const SimNode& node, const Arguments& a) {
                return with_number(a[0], [&](unsigned n) {
                    return node.change_scenario([&](Scenario& scenario) {
                        scenario.*member = static_cast<Member>(n);
                        return Status::ok();
                    });
                });
            }};
}

void print_usage(std::FILE* out) {
    std::fputs(kUsage, out);
    std::fputs(kLinkUsage, out);
    std::fputs(kGpuUsage, out);
    std::fputs(kRdmaUsage, out);
    std::fputs(kNcclUsage, out);
    std::fputs(kLibraryUsage, out);
    std::fprintf(out, "Models: %s.\n", sim_model_names().c_str());
}

Status run(const std::string& name, const SimNode& node, const Arguments& arguments) {
    if (name == "create") {
        auto settings = parse_options(arguments);
        return settings ? node.create(*settings) : settings.status();
    }
    std::map<std::string, Command> commands = port_commands();
    commands.merge(gpu_commands());
    commands.merge(link_commands());
    commands.merge(rdma_commands());
    commands.merge(nccl_commands());
    commands.emplace("nvml-error", scenario_command(&Scenario::init_code));
    commands.emplace("hang", scenario_command(&Scenario::hang_s));
    commands.emplace("fabric-version", scenario_command(&Scenario::fabric_version));
    const auto found = commands.find(name);
    if (found == commands.end()) {
        return bad("unknown command " + name);
    }
    if (arguments.size() != found->second.arguments) {
        return bad(name + " takes DIR and " + std::to_string(found->second.arguments) +
                   " arguments");
    }
    return found->second.run(node, arguments);
}

}  // namespace
}  // namespace yardmaster::sim

int main(int argc, char** argv) {
    using namespace yardmaster::sim;
    if (argc == 2 && std::string_view(argv[1]) == "--help") {
        print_usage(stdout);
        return 0;
    }
    if (argc < 3) {
        print_usage(stderr);
        return 2;
    }
    const auto status = run(argv[1], SimNode(argv[2]), {argv + 3, argv + argc});
    if (!status) {
        std::fprintf(stderr, "ym-sim-node: %s\n", status.message().c_str());
        return 1;
    }
    return 0;
}
