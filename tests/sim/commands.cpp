// ym-sim-node's commands, all of them.
#include "tests/sim/commands.hpp"

#include "tests/sim/link_commands.hpp"
#include "tests/sim/model.hpp"
#include "tests/sim/nccl_commands.hpp"
#include "tests/sim/rdma_commands.hpp"

namespace yardmaster::sim {
namespace {

constexpr const char* kUsage =
    "usage: ym-sim-node COMMAND DIR [ARGUMENT...]\n"
    "  create DIR [--node NAME] [--gpus N] [--rails NIC,...] [--rate GBPS] [--model NAME]\n"
    "             [--minors N,...] [--library FILE] [--virtual-functions N] [--ports 1|2]\n"
    "             [--wire FOLDER]  nodes with the same one reach each other by RDMA; it must "
    "exist\n"
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
    "  driver DIR VERSION                another driver was loaded\n"
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

std::map<std::string, Command> library_commands() {
    return {
        {"nvml-error", scenario_command(&Scenario::init_code)},
        {"hang", scenario_command(&Scenario::hang_s)},
        {"driver",
         {1,
          [](auto& node, auto& a) {
              return node.change_scenario([&](Scenario& scenario) {
                  scenario.driver = a[0] + " SIMULATED";
                  return Status::ok();
              });
          }}},
        {"fabric-version", scenario_command(&Scenario::fabric_version)},
    };
}

}  // namespace

std::vector<std::map<std::string, Command>> command_tables() {
    return {port_commands(),
            gpu_commands(),
            link_commands(),
            rdma_commands(),
            nccl_commands(),
            library_commands()};
}

Status run_command(const std::string& name, const SimNode& node, const Arguments& arguments) {
    for (const auto& table : command_tables()) {
        const auto found = table.find(name);
        if (found == table.end()) {
            continue;
        }
        if (arguments.size() != found->second.arguments) {
            return bad(name + " takes DIR and " + std::to_string(found->second.arguments) +
                       " arguments");
        }
        return found->second.run(node, arguments);
    }
    return bad("unknown command " + name);
}

std::string command_usage() {
    return std::string(kUsage) + kLinkUsage + kGpuUsage + kRdmaUsage + kNcclUsage + kLibraryUsage +
           "Models: " + sim_model_names() + ".\n";
}

}  // namespace yardmaster::sim
