#include "healthcheck/wiring/wiring_reader.hpp"

#include <hwloc.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string_view>
#include <type_traits>

namespace yardmaster {
namespace {

constexpr unsigned kNvidia = 0x10de;   // PCI vendor
constexpr unsigned kDisplayClass = 3;  // base class, PCI Code and ID Assignment Specification
constexpr unsigned kNetworkClass = 2;  // InfiniBand controllers are 0207 of it
constexpr std::string_view kSys = "/sys";

using PciAttributes = hwloc_obj_attr_u::hwloc_pcidev_attr_s;
using BridgeAttributes = hwloc_obj_attr_u::hwloc_bridge_attr_s;
using Topology =
    std::unique_ptr<std::remove_pointer_t<hwloc_topology_t>, decltype(&hwloc_topology_destroy)>;

/// Nothing that the caller's environment says may change what hwloc does, its plugins (OpenCL, X11,
/// NVML: each can hang) are not loaded, and the tree comes from Linux alone.
void set_environment(const std::string& fs_root) {
    std::vector<std::string> names;
    for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
        const std::string_view text = *entry;
        if (text.starts_with("HWLOC_")) {
            names.emplace_back(text.substr(0, text.find('=')));
        }
    }
    for (const std::string& name : names) {
        unsetenv(name.c_str());
    }
    setenv("HWLOC_PLUGINS_PATH", "/nonexistent", 1);
    setenv("HWLOC_COMPONENTS", "linux,stop", 1);
    setenv("HWLOC_HIDE_ERRORS", "2", 1);
    if (!fs_root.empty()) {
        setenv("HWLOC_FSROOT", fs_root.c_str(), 1);
    }
}

std::string address_of(const PciAttributes& pci) {
    char text[32];
    std::snprintf(text, sizeof text, "%04x:%02x:%02x.%x", pci.domain, pci.bus, pci.dev, pci.func);
    return text;
}

std::string bridge_name(const BridgeAttributes& bridge) {
    if (bridge.upstream_type == HWLOC_OBJ_BRIDGE_PCI) {
        return address_of(bridge.upstream.pci);
    }
    char text[32];
    std::snprintf(text,
                  sizeof text,
                  "%04x:%02x",
                  bridge.downstream.pci.domain,
                  bridge.downstream.pci.secondary_bus);
    return text;
}

bool wanted(const PciAttributes& pci) {
    const unsigned base = pci.class_id >> 8;
    return base == kNetworkClass || (base == kDisplayClass && pci.vendor_id == kNvidia);
}

PciPlace place_of(hwloc_obj_t device) {
    PciPlace place{address_of(device->attr->pcidev), {}};
    for (hwloc_obj_t above = device->parent; above != nullptr; above = above->parent) {
        if (above->type == HWLOC_OBJ_BRIDGE) {
            place.bridges.push_back(bridge_name(above->attr->bridge));
        }
    }
    std::reverse(place.bridges.begin(), place.bridges.end());
    return place;
}

/// Only PCI devices and bridges, and only what Linux tells of them.
Topology load() {
    hwloc_topology_t raw = nullptr;
    if (hwloc_topology_init(&raw) != 0) {
        return {nullptr, hwloc_topology_destroy};
    }
    Topology topology(raw, hwloc_topology_destroy);
    hwloc_topology_set_all_types_filter(raw, HWLOC_TYPE_FILTER_KEEP_NONE);
    hwloc_topology_set_type_filter(raw, HWLOC_OBJ_PCI_DEVICE, HWLOC_TYPE_FILTER_KEEP_ALL);
    hwloc_topology_set_type_filter(raw, HWLOC_OBJ_BRIDGE, HWLOC_TYPE_FILTER_KEEP_ALL);
    if (hwloc_topology_load(raw) != 0) {
        topology.reset();
    }
    return topology;
}

}  // namespace

WiringReading read_wiring(const std::string& sysfs_root) {
    if (!sysfs_root.ends_with(kSys)) {
        return {false, sysfs_root + ": hwloc reads only folders called sys", {}};
    }
    set_environment(sysfs_root.substr(0, sysfs_root.size() - kSys.size()));
    const Topology topology = load();
    if (topology == nullptr) {
        return {false, "hwloc could not load the PCIe tree below " + sysfs_root, {}};
    }
    WiringReading wiring{true, "", {}};
    for (hwloc_obj_t device = hwloc_get_next_pcidev(topology.get(), nullptr); device != nullptr;
         device = hwloc_get_next_pcidev(topology.get(), device)) {
        if (wanted(device->attr->pcidev)) {
            wiring.places.push_back(place_of(device));
        }
    }
    return wiring;
}

}  // namespace yardmaster
