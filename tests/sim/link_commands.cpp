#include "tests/sim/link_commands.hpp"

namespace yardmaster::sim {
namespace {

/// A command whose argument at `place` is a number.
Command number_command(std::size_t arguments,
                       std::size_t place,
                       std::function<Status(const SimNode&, const Arguments&, unsigned)> run) {
    return {arguments, [place, run](const SimNode& node, const Arguments& a) {
                return with_number(a[place], [&](unsigned n) { return run(node, a, n); });
            }};
}

}  // namespace

std::map<std::string, Command> link_commands() {
    return {
        {"grow-counter",
         number_command(
             3,
             2,
             [](auto& node, auto& a, unsigned n) { return node.grow_counter(a[0], a[1], n); })},
        {"reboot", {0, [](auto& node, auto&) { return node.reboot(); }}},
        {"gids-empty", {1, [](auto& node, auto& a) { return node.empty_gids(a[0]); }}},
        {"gids-local", {1, [](auto& node, auto& a) { return node.unroute_gids(a[0]); }}},
        {"netdev-down", {1, [](auto& node, auto& a) { return node.netdev_down(a[0]); }}},
        {"swap-nics", {2, [](auto& node, auto& a) { return node.swap_nics(a[0], a[1]); }}},
        {"pcie-width",
         number_command(
             2, 1, [](auto& node, auto& a, unsigned n) { return node.set_width(a[0], n); })},
        {"pcie-max",
         number_command(
             2, 1, [](auto& node, auto& a, unsigned n) { return node.set_max_speed(a[0], n); })},
        {"aer",
         number_command(
             3, 2, [](auto& node, auto& a, unsigned n) { return node.set_aer(a[0], a[1], n); })},
    };
}

const char* const kLinkUsage =
    "  grow-counter DIR NIC FILE N       adds to it\n"
    "  reboot DIR                        a new boot id\n"
    "  gids-empty DIR NIC, gids-local DIR NIC\n"
    "  netdev-down DIR NIC               the interface of an Ethernet NIC\n"
    "  pcie-width DIR OBJECT LANES       OBJECT: a NIC, GPU3, or a PCI address (also a bridge's)\n"
    "  pcie-max DIR OBJECT GTS           the link can do GTS GT/s at most\n"
    "  aer DIR OBJECT correctable|nonfatal|fatal N\n"
    "  swap-nics DIR NIC NIC             each gets the other's name\n";

}  // namespace yardmaster::sim
