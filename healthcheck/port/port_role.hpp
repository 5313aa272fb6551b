// What each RDMA device of the node is for: only rails are judged.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace yardmaster {

/// What tells a device's role, as sysfs and procfs show it.
struct PortIdentity {
    std::string device;    ///< "mlx5_3"
    std::string pci;       ///< its PCI address; "" when it has none
    std::string physical;  ///< a virtual function's physical function, by PCI address; "" otherwise
    std::string link_layer;  ///< of port 1: "InfiniBand", "Ethernet"
    std::string phys_state;  ///< of port 1: "5: LinkUp"
    std::vector<std::string> netdevs;
    std::string bond;            ///< the bond that a netdev of it belongs to; ""
    bool default_route = false;  ///< a default route leaves through it (or its bond or VLAN)
};

enum class PortRole {
    kRail,             ///< the fabric file says so
    kVirtualFunction,  ///< belongs to its physical function
    kDefaultRoute,
    kBond,
    kUnprovisioned,  ///< switched off: physical state Disabled
    kStorage,        ///< another InfiniBand port: storage or spare
    kManagement,     ///< another Ethernet port
};

/// "rail", "virtual function", ...
std::string_view to_string(PortRole role);

/// The role of a device; `rails` are the node's rails in the fabric file, whose word goes first.
PortRole role_of(const PortIdentity& port, const std::vector<std::string>& rails);

/// Whether a GPU's traffic could leave through a port of this role.
bool can_be_rail(PortRole role);

/// The roles of all devices in a few words, virtual functions counted with their physical one:
/// "mlx5_0 rail (16 virtual functions), mlx5_8 storage".
std::string describe_roles(const std::vector<PortIdentity>& ports,
                           const std::vector<std::string>& rails);

}  // namespace yardmaster
