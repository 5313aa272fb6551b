// The PCIe part of a simulated sysfs tree: root ports, switches and what hangs below them.
#pragma once

#include <string>

#include "tests/sim/tree_writer.hpp"

namespace yardmaster::sim {

/// A root port with a PCIe switch below it that holds a NIC and a GPU.
struct Slot {
    unsigned domain = 0;
    unsigned bus = 0;  ///< of the root port; the switch and its devices use the next ones
};

/// Slot `n` of a node; four to a PCI domain, so that bus numbers repeat.
Slot usual_slot(unsigned n);
inline constexpr Slot kStorageSlot{0, 0x90};
inline constexpr Slot kManagementSlot{0, 0xa0};

struct PciFunction {
    std::string vendor, device, device_class;
    double gts = 32;
};

/// Folders below the sysfs root, from "devices" on.
std::filesystem::path nic_folder(Slot s);
std::filesystem::path gpu_folder(Slot s);
/// The `n`th virtual function of the slot's NIC.
std::filesystem::path virtual_folder(Slot s, unsigned n);

/// Writes the slot's bridges and their links of 16 lanes at `gts`.
void write_bridges(TreeWriter& tree, Slot s, double gts);
/// Writes one device with its link and its AER counters (none on a virtual function).
void write_function(TreeWriter& tree,
                    const std::filesystem::path& folder,
                    const PciFunction& function,
                    bool is_virtual = false);
/// Writes one CPU: hwloc loads no tree without any.
void write_cpu(TreeWriter& tree);
/// The text of an aer_dev_* file with `count` errors, as the kernel writes it (aer.c).
std::string aer_text(const std::string& kind, unsigned count);

}  // namespace yardmaster::sim
