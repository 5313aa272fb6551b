// Which pairs of ports are measured, and which of them at the same time.
#pragma once

#include <string>
#include <vector>

#include "base/status.hpp"

namespace yardmaster {

struct RdmaPort {
    std::string device;  ///< RDMA device name, "mlx5_3"
    unsigned port = 1;   ///< from 1
    bool operator==(const RdmaPort&) const = default;
};

/// Data go from one port to the other. A port with itself is a self loop: that passes PCIe and the
/// NIC, but never sees the cable.
struct RdmaPair {
    RdmaPort from;
    RdmaPort to;
    bool self_loop() const { return from == to; }
    bool operator==(const RdmaPair&) const = default;
};

/// "mlx5_3", with another port than 1 "mlx5_3:2".
std::string port_name(const RdmaPort& port);
/// "mlx5_3>mlx5_4", as in readings and in the state file.
std::string pair_name(const RdmaPair& pair);

/// Reads port_name's form. The device becomes part of a path, so only letters, digits, '_', '-' and
/// '.' (not in front) are taken. kInvalidArgument with the form.
Result<RdmaPort> parse_rdma_port(const std::string& text);

/// Each port sends to the next one and the last to the first, so that a bad port shows in both its
/// pairs and its neighbours in one. A single port gets a self loop; none, no pair.
std::vector<RdmaPair> ring_of(const std::vector<RdmaPort>& ports);

/// Splits `pairs` into rounds in which every port has one pair, so that no pair waits for another's
/// traffic; in order, as few as that gives (a ring: two, or three when it is odd).
std::vector<std::vector<RdmaPair>> rounds_of(const std::vector<RdmaPair>& pairs);

}  // namespace yardmaster
