// Reads PCIe links and their error counters below a sysfs root.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "healthcheck/pcie/pcie_reading.hpp"

namespace yardmaster {

/// Addresses of the GPUs: the devices bound to NVIDIA's driver, sorted. NVSwitches have another
/// driver. Empty without the driver.
std::vector<std::string> gpu_addresses(const std::string& sysfs_root);

/// The PCI address of an RDMA device; "" when it has none (Soft-RoCE) or is not there.
std::string rdma_address(const std::string& sysfs_root, const std::string& device);

/// Reads devices, and each bridge above them once.
class PciReader {
  public:
    explicit PciReader(std::string sysfs_root) : root_(std::move(sysfs_root)) {}
    /// The device at `address`. Never fails: what could not be read is absent.
    PciReading read(const std::string& address);

  private:
    const PciLink& bridge(const std::string& place);

    std::string root_;
    std::map<std::string, PciLink> bridges_;  ///< by folder
};

}  // namespace yardmaster
