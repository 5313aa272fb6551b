// What sysfs says of the PCIe links of GPUs and NICs, unjudged.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace yardmaster {

/// The link attributes of one PCI device or bridge (kernel drivers/pci/pci-sysfs.c). Absent: not
/// there, or the kernel knows no value ("Unknown", width 0 or 255, as on virtual functions).
struct PciLink {
    std::string address;  ///< "0000:14:00.0"
    std::optional<unsigned> current_width, max_width;
    std::optional<double> current_gts, max_gts;  ///< GT/s per lane
};

/// One GPU or NIC with the way from it to the root complex.
struct PciReading {
    std::string address;  ///< domain:bus:device.function, as sysfs writes it
    std::string device;   ///< the RDMA device it is; "" for a GPU
    std::string kind;     ///< "0x10de:0x2330", vendor and device: equal for GPUs of one model
    /// The device first, then every bridge above it; the last is the root port.
    std::vector<PciLink> path;
    /// Totals of aer_dev_correctable, aer_dev_nonfatal and aer_dev_fatal, by these last words;
    /// empty where the kernel has no Advanced Error Reporting for the device.
    std::map<std::string, std::uint64_t> errors;
};

/// "00000000:14:00.0" (NVML) and "0000:14:00.0" (sysfs) as sysfs writes it, lower case; "" when the
/// text is no full PCI address.
std::string pci_address(const std::string& text);

}  // namespace yardmaster
