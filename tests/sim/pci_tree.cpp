#include "tests/sim/pci_tree.hpp"

#include <cstdio>
#include <map>

namespace yardmaster::sim {
namespace {

namespace fs = std::filesystem;

std::string address(unsigned domain, unsigned bus, unsigned device, unsigned function = 0) {
    char text[32];
    std::snprintf(text, sizeof text, "%04x:%02x:%02x.%x", domain, bus, device, function);
    return text;
}

fs::path root_port(Slot s) {
    char root_complex[32];
    std::snprintf(root_complex, sizeof root_complex, "pci%04x:%02x", s.domain, s.bus);
    return fs::path("devices") / root_complex / address(s.domain, s.bus, 1);
}

fs::path switch_folder(Slot s) {
    return root_port(s) / address(s.domain, s.bus + 1, 0);
}

std::string speed_text(double gts) {
    char text[32];
    std::snprintf(text, sizeof text, "%.1f GT/s PCIe", gts);
    return text;
}

void write_pci(TreeWriter& tree, const fs::path& folder, const PciFunction& function) {
    tree.file(folder / "vendor", function.vendor);
    tree.file(folder / "device", function.device);
    tree.file(folder / "class", function.device_class);
    tree.file(folder / "numa_node", "0");
    for (const char* which : {"current", "max"}) {
        tree.file(folder / (std::string(which) + "_link_width"), "16");
        tree.file(folder / (std::string(which) + "_link_speed"), speed_text(function.gts));
    }
    tree.link(fs::path("bus/pci/devices") / folder.filename(), folder);
}

/// A bridge's configuration space says which buses lie below it (PCI-to-PCI Bridge Architecture
/// Specification, 3.2.5): hwloc builds the tree from that.
void write_bridge(
    TreeWriter& tree, const fs::path& folder, double gts, unsigned from, unsigned to) {
    write_pci(tree, folder, {"0x15b3", "0x1979", "0x060400", gts});
    std::string space(256, '\0');
    space[0x0a] = 0x04;  // class 0604
    space[0x0b] = 0x06;
    space[0x0e] = 0x01;  // header of a bridge
    space[0x19] = static_cast<char>(from);
    space[0x1a] = static_cast<char>(to);
    tree.bytes(folder / "config", space);
}

}  // namespace

Slot usual_slot(unsigned n) {
    return {n / 4, 0x10 + 0x10 * (n % 4)};
}

fs::path nic_folder(Slot s) {
    return switch_folder(s) / address(s.domain, s.bus + 2, 0) / address(s.domain, s.bus + 3, 0);
}

fs::path gpu_folder(Slot s) {
    return switch_folder(s) / address(s.domain, s.bus + 2, 1) / address(s.domain, s.bus + 4, 0);
}

fs::path virtual_folder(Slot s, unsigned n) {
    return nic_folder(s).parent_path() / address(s.domain, s.bus + 3, (n + 1) / 8, (n + 1) % 8);
}

void write_bridges(TreeWriter& tree, Slot s, double gts) {
    write_bridge(tree, root_port(s), gts, s.bus + 1, s.bus + 4);
    write_bridge(tree, switch_folder(s), gts, s.bus + 2, s.bus + 4);
    write_bridge(tree, nic_folder(s).parent_path(), gts, s.bus + 3, s.bus + 3);
    write_bridge(tree, gpu_folder(s).parent_path(), gts, s.bus + 4, s.bus + 4);
}

void write_function(TreeWriter& tree,
                    const fs::path& folder,
                    const PciFunction& function,
                    bool is_virtual) {
    write_pci(tree, folder, function);
    tree.bytes(folder / "config", std::string(256, '\0'));
    for (const char* kind : {"correctable", "nonfatal", "fatal"}) {
        if (!is_virtual) {
            tree.file(folder / (std::string("aer_dev_") + kind), aer_text(kind, 0));
        }
    }
}

void write_cpu(TreeWriter& tree) {
    const fs::path cpu = "devices/system/cpu";
    tree.file(cpu / "online", "0");
    tree.file(cpu / "possible", "0");
    for (const char* set : {"core_cpus", "thread_siblings", "package_cpus", "core_siblings"}) {
        tree.file(cpu / "cpu0/topology" / set, "1");
    }
    tree.file(cpu / "cpu0/topology/core_id", "0");
    tree.file(cpu / "cpu0/topology/physical_package_id", "0");
}

std::string aer_text(const std::string& kind, unsigned count) {
    static const std::map<std::string, std::string> kTotals = {
        {"correctable", "COR"}, {"nonfatal", "NONFATAL"}, {"fatal", "FATAL"}};
    const std::string first = kind == "correctable" ? "RxErr " : "Undefined ";
    return first + std::to_string(count) + "\nTOTAL_ERR_" + kTotals.at(kind) + " " +
           std::to_string(count);
}

}  // namespace yardmaster::sim
