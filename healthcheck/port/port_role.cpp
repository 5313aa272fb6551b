#include "healthcheck/port/port_role.hpp"

#include <algorithm>
#include <map>

namespace yardmaster {

std::string_view to_string(PortRole role) {
    switch (role) {
        case PortRole::kRail:
            return "rail";
        case PortRole::kVirtualFunction:
            return "virtual function";
        case PortRole::kDefaultRoute:
            return "default route";
        case PortRole::kBond:
            return "bond";
        case PortRole::kUnprovisioned:
            return "unprovisioned";
        case PortRole::kStorage:
            return "storage";
        case PortRole::kManagement:
            break;
    }
    return "management";
}

PortRole role_of(const PortIdentity& port, const std::vector<std::string>& rails) {
    if (std::find(rails.begin(), rails.end(), port.device) != rails.end()) {
        return PortRole::kRail;
    }
    if (!port.physical.empty()) {
        return PortRole::kVirtualFunction;
    }
    if (port.default_route) {
        return PortRole::kDefaultRoute;
    }
    if (!port.bond.empty()) {
        return PortRole::kBond;
    }
    if (port.phys_state.starts_with("3:")) {  // Disabled, enum ib_port_phys_state
        return PortRole::kUnprovisioned;
    }
    return port.link_layer == "InfiniBand" ? PortRole::kStorage : PortRole::kManagement;
}

bool can_be_rail(PortRole role) {
    return role == PortRole::kRail || role == PortRole::kStorage || role == PortRole::kManagement;
}

std::string describe_roles(const std::vector<PortIdentity>& ports,
                           const std::vector<std::string>& rails) {
    std::map<std::string, unsigned> virtual_functions;
    for (const PortIdentity& port : ports) {
        if (!port.physical.empty()) {
            ++virtual_functions[port.physical];
        }
    }
    std::string text;
    for (const PortIdentity& port : ports) {
        if (role_of(port, rails) == PortRole::kVirtualFunction) {
            continue;
        }
        const auto own = virtual_functions.find(port.pci);
        text += (text.empty() ? "" : ", ") + port.device + " " +
                std::string(to_string(role_of(port, rails)));
        text += own == virtual_functions.end()
                    ? ""
                    : " (" + std::to_string(own->second) + " virtual functions)";
    }
    return text;
}

}  // namespace yardmaster
