#include "healthcheck/port/identity_reader.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "healthcheck/open_folder.hpp"
#include "healthcheck/pcie/pcie_reader.hpp"
#include "healthcheck/small_file.hpp"

namespace yardmaster {
namespace {

namespace fs = std::filesystem;

/// A netdev, what it belongs to (bond, VLAN), what that belongs to, and so on; at most this many.
constexpr std::size_t kMaxStack = 16;
constexpr std::string_view kUpper = "upper_";  // links of net/core/dev.c

/// `interfaces` and all that is stacked on them.
std::vector<std::string> stack_of(const fs::path& net, std::vector<std::string> interfaces) {
    for (std::size_t i = 0; i < interfaces.size() && interfaces.size() < kMaxStack; ++i) {
        for (const std::string& name : names_in(net / interfaces[i])) {
            if (name.starts_with(kUpper)) {
                interfaces.push_back(name.substr(kUpper.size()));
            }
        }
    }
    return interfaces;
}

bool is_bond(const fs::path& net, const std::string& interface) {
    std::error_code error;
    return fs::is_directory(net / interface / "bonding", error);
}

std::string text_of(const fs::path& file) {
    const auto text = read_small_file(file);
    return text ? *text : "";
}

}  // namespace

std::vector<std::string> default_route_interfaces(const std::string& proc_root) {
    std::vector<std::string> interfaces;
    std::string line;
    // Iface Destination Gateway Flags RefCnt Use Metric Mask ... (net/ipv4/fib_trie.c)
    for (std::ifstream in(proc_root + "/net/route"); std::getline(in, line);) {
        std::istringstream words(line);
        std::string interface, destination, skipped, mask;
        words >> interface >> destination;
        for (int i = 0; i < 5; ++i) {
            words >> skipped;
        }
        words >> mask;
        if (destination == "00000000" && mask == "00000000") {
            interfaces.push_back(interface);
        }
    }
    // destination length source length hop metric ref use flags interface (net/ipv6/route.c)
    for (std::ifstream in(proc_root + "/net/ipv6_route"); std::getline(in, line);) {
        const bool default_route = line.starts_with(std::string(32, '0') + " 00 ");
        const std::string interface = line.substr(line.find_last_of(" \t") + 1);
        if (default_route && interface != "lo") {
            interfaces.push_back(interface);
        }
    }
    return interfaces;
}

PortIdentity read_identity(const std::string& sysfs_root,
                           const std::string& device,
                           const std::vector<std::string>& default_routes) {
    const fs::path folder = fs::path(sysfs_root) / "class/infiniband" / device;
    const fs::path net = fs::path(sysfs_root) / "class/net";
    PortIdentity identity;
    identity.device = device;
    identity.pci = rdma_address(sysfs_root, device);
    std::error_code error;
    const fs::path physical = fs::read_symlink(folder / "device/physfn", error);
    identity.physical = error ? "" : physical.filename().string();
    if (!identity.physical.empty()) {
        return identity;  // there are dozens, and nothing else of them counts
    }
    identity.link_layer = text_of(folder / "ports/1/link_layer");
    identity.phys_state = text_of(folder / "ports/1/phys_state");
    identity.netdevs = names_in(folder / "device/net");
    for (const std::string& interface : stack_of(net, identity.netdevs)) {
        if (is_bond(net, interface)) {
            identity.bond = interface;
        }
        identity.default_route =
            identity.default_route ||
            std::find(default_routes.begin(), default_routes.end(), interface) !=
                default_routes.end();
    }
    return identity;
}

}  // namespace yardmaster
