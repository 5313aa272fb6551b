// Where GPUs and NICs sit in the node's PCIe tree, unjudged.
#pragma once

#include <string>
#include <vector>

namespace yardmaster {

/// One PCI device and the bridges above it.
struct PciPlace {
    std::string address;  ///< "0000:14:00.0": the full address, because domains repeat bus numbers
    /// From the root complex down: the host bridge as "0000:10" (domain and bus), then bridges by
    /// their address.
    std::vector<std::string> bridges;
};

struct WiringReading {
    bool read = false;
    std::string error;             ///< why it was not read
    std::vector<PciPlace> places;  ///< NVIDIA GPUs and network controllers
};

/// Bridges that two places share from the root down; 0: they meet in the CPUs only.
std::size_t shared_bridges(const PciPlace& a, const PciPlace& b);

/// The place at `address`; nullptr when there is none. Borrowed from `wiring`.
const PciPlace* find_place(const WiringReading& wiring, const std::string& address);

}  // namespace yardmaster
