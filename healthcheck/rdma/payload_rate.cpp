#include "healthcheck/rdma/payload_rate.hpp"

#include <algorithm>
#include <cmath>

#include "healthcheck/port/rate.hpp"

namespace yardmaster {
namespace {

// Bytes around the payload of one packet in the middle of a large write.
// InfiniBand (IBTA vol. 1, 5.2): local route header 8, base transport header 12, invariant CRC 4,
// variant CRC 2.
constexpr double kInfiniBandHeaders = 26;
// RoCE v2 (IBTA annex A17, IEEE 802.3): preamble 8, Ethernet 14, IPv4 20, UDP 8, base transport
// header 12, invariant CRC 4, frame check 4, gap 12.
constexpr double kRoceHeaders = 82;
/// PCIe must have this much room above the port, or it may be what is measured.
constexpr double kPcieRoom = 1.05;

std::optional<double> payload_gbps(const RdmaEndReading& end) {
    const auto rate = parse_port_rate(end.rate);
    if (!rate || end.mtu_bytes == 0) {
        return std::nullopt;
    }
    const double headers = end.ethernet ? kRoceHeaders : kInfiniBandHeaders;
    const double payload = rate->gbps * end.mtu_bytes / (end.mtu_bytes + headers);
    return end.pcie_gbps && *end.pcie_gbps < payload * kPcieRoom ? std::nullopt
                                                                 : std::optional(payload);
}

std::string conditions_of(const RdmaEndReading& end) {
    const long pcie = std::lround(end.pcie_gbps.value_or(0));
    return end.rate + ", firmware " + end.firmware + ", MTU " + std::to_string(end.mtu_bytes) +
           ", PCIe " + std::to_string(pcie) + " Gb/s, " + end.memory;
}

}  // namespace

std::optional<double> payload_gbps(const RdmaPairReading& pair) {
    const auto from = payload_gbps(pair.from);
    const auto to = payload_gbps(pair.to);
    return from && to ? std::optional(std::min(*from, *to)) : std::nullopt;
}

std::string conditions_of(const RdmaPairReading& pair) {
    return conditions_of(pair.from) + "; " + conditions_of(pair.to) + "; writes of " +
           std::to_string(pair.message_bytes);
}

double best_gbps(const RdmaPairReading& pair) {
    return pair.gbps.empty() ? 0 : *std::max_element(pair.gbps.begin(), pair.gbps.end());
}

}  // namespace yardmaster
