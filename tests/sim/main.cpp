// ym-sim-node: makes and damages simulated nodes for tests and the demo.
#include <charconv>
#include <cstdio>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "tests/sim/sim_node.hpp"

namespace yardmaster::sim {
namespace {

constexpr const char* kUsage =
    "usage: ym-sim-node COMMAND DIR [ARGUMENT...]\n"
    "  create DIR [--node NAME] [--gpus N] [--rails NIC,...] [--rate GBPS] [--model NAME]\n"
    "             [--links N] [--minors N,...] [--library FILE]\n"
    "  heal DIR                          back to the state after create\n"
    "  set-rate DIR NIC GBPS             e.g. set-rate DIR mlx5_3 100\n"
    "  port-down DIR NIC                 1: DOWN, 2: Polling, rate 10\n"
    "  port-init DIR NIC                 2: INIT, as without a subnet manager\n"
    "  nic-gone DIR NIC\n"
    "  set-counter DIR NIC FILE TEXT     e.g. set-counter DIR mlx5_3 counters/link_downed 255\n"
    "  gpu-lost DIR MINOR                \"GPU is lost\"\n"
    "  gpu-missing DIR MINOR             not listed any more\n"
    "  nvlink-down DIR MINOR LINK|all\n"
    "  ecc DIR MINOR COUNT               uncorrected volatile errors\n"
    "  remap DIR MINOR pending|failed\n"
    "  nvml-error DIR CODE               nvmlInit_v2 fails with this code\n"
    "  hang DIR SECONDS                  nvmlInit_v2 sleeps\n"
    "GPUs are named by device minor (the N of /dev/nvidiaN).\n";

using Arguments = std::vector<std::string>;

Status bad(const std::string& text) {
    return {ErrorCode::kInvalidArgument, text};
}

Result<unsigned> number(const std::string& text) {
    unsigned value = 0;
    const auto parsed = std::from_chars(text.data(), text.data() + text.size(), value);
    if (parsed.ec != std::errc() || parsed.ptr != text.data() + text.size()) {
        return bad("\"" + text + "\" is no number");
    }
    return value;
}

Arguments split(const std::string& list) {
    Arguments parts;
    std::size_t begin = 0;
    for (auto comma = list.find(','); comma != std::string::npos; comma = list.find(',', begin)) {
        parts.push_back(list.substr(begin, comma - begin));
        begin = comma + 1;
    }
    parts.push_back(list.substr(begin));
    return parts;
}

/// Runs `use(n)` with the number in `text`.
Status with_number(const std::string& text, const std::function<Status(unsigned)>& use) {
    const auto value = number(text);
    return value ? use(*value) : value.status();
}

Status take_minors(const std::string& list, NodeSettings& settings) {
    settings.minors.clear();
    for (const std::string& part : split(list)) {
        const auto minor = number(part);
        if (!minor) {
            return minor.status();
        }
        settings.minors.push_back(*minor);
    }
    return Status::ok();
}

Status take_option(const std::string& name, const std::string& value, NodeSettings& settings) {
    const auto store = [](auto& member) {
        return [&member](unsigned n) {
            member = n;
            return Status::ok();
        };
    };
    if (name == "--gpus") {
        return with_number(value, [&](unsigned n) {
            set_gpus(settings, n);
            return Status::ok();
        });
    }
    if (name == "--rate") {
        return with_number(value, store(settings.rail_gbps));
    }
    if (name == "--links") {
        return with_number(value, store(settings.links));
    }
    if (name == "--minors") {
        return take_minors(value, settings);
    }
    const std::map<std::string, std::string*> texts = {
        {"--node", &settings.node}, {"--model", &settings.model}, {"--library", &settings.library}};
    if (name == "--rails") {
        settings.rails = split(value);
    } else if (texts.count(name) != 0) {
        *texts.at(name) = value;
    } else {
        return bad("unknown option " + name);
    }
    return Status::ok();
}

/// A rail of the node may have the name that storage or management has by default.
void give_way_to_rails(NodeSettings& settings) {
    for (const std::string& rail : settings.rails) {
        for (std::string* other : {&settings.storage, &settings.management}) {
            if (*other == rail) {
                *other += "_x";
            }
        }
    }
}

Status create(const SimNode& node, const Arguments& options) {
    NodeSettings settings = default_settings();
    if (options.size() % 2 != 0) {
        return bad("every option of create takes a value");
    }
    for (std::size_t i = 0; i < options.size(); i += 2) {
        if (Status status = take_option(options[i], options[i + 1], settings); !status) {
            return status;
        }
    }
    give_way_to_rails(settings);
    return node.create(settings);
}

Status nvlink_down(const SimNode& node, unsigned minor, const std::string& link) {
    if (link == "all") {
        return node.change_gpu(minor, [](SimGpu& gpu) {
            gpu.links_down.clear();
            for (unsigned i = 0; i < gpu.links; ++i) {
                gpu.links_down.push_back(i);
            }
        });
    }
    return with_number(link, [&](unsigned n) {
        return node.change_gpu(minor, [&](SimGpu& gpu) { gpu.links_down.push_back(n); });
    });
}

Status remap(const SimNode& node, unsigned minor, const std::string& what) {
    if (what != "pending" && what != "failed") {
        return bad("remap takes pending or failed");
    }
    return node.change_gpu(minor, [&](SimGpu& gpu) {
        (what == "pending" ? gpu.remap_pending : gpu.remap_failed) = true;
    });
}

struct Command {
    std::size_t arguments;
    std::function<Status(const SimNode&, const Arguments&)> run;
};

/// A command about one GPU: its first argument is the minor.
Command gpu_command(std::size_t arguments,
                    std::function<Status(const SimNode&, unsigned, const Arguments&)> run) {
    return {arguments, [run](const SimNode& node, const Arguments& a) {
                return with_number(a[0], [&](unsigned minor) { return run(node, minor, a); });
            }};
}

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

std::map<std::string, Command> gpu_commands() {
    return {
        {"gpu-lost",
         gpu_command(1,
                     [](auto& node, unsigned minor, auto&) {
                         return node.change_gpu(minor, [](SimGpu& gpu) { gpu.lost = true; });
                     })},
        {"gpu-missing",
         gpu_command(1,
                     [](auto& node, unsigned minor, auto&) {
                         return node.change_gpu(minor, [](SimGpu& gpu) { gpu.missing = true; });
                     })},
        {"nvlink-down",
         gpu_command(
             2,
             [](auto& node, unsigned minor, auto& a) { return nvlink_down(node, minor, a[1]); })},
        {"remap",
         gpu_command(2,
                     [](auto& node, unsigned minor, auto& a) { return remap(node, minor, a[1]); })},
        {"ecc",
         gpu_command(2,
                     [](auto& node, unsigned minor, auto& a) {
                         return with_number(a[1], [&](unsigned count) {
                             return node.change_gpu(
                                 minor, [&](SimGpu& gpu) { gpu.ecc_uncorrected = count; });
                         });
                     })},
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

Status run(const std::string& name, const SimNode& node, const Arguments& arguments) {
    if (name == "create") {
        return create(node, arguments);
    }
    std::map<std::string, Command> commands = port_commands();
    commands.merge(gpu_commands());
    commands.emplace("nvml-error", scenario_command(&Scenario::init_code));
    commands.emplace("hang", scenario_command(&Scenario::hang_s));
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
        std::fputs(kUsage, stdout);
        return 0;
    }
    if (argc < 3) {
        std::fputs(kUsage, stderr);
        return 2;
    }
    const auto status = run(argv[1], SimNode(argv[2]), {argv + 3, argv + argc});
    if (!status) {
        std::fprintf(stderr, "ym-sim-node: %s\n", status.message().c_str());
        return 1;
    }
    return 0;
}
