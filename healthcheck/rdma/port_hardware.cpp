#include <charconv>
#include <cmath>

#include "healthcheck/rdma/endpoint.hpp"
#include "healthcheck/small_file.hpp"

namespace yardmaster {
namespace {

// PCI Express Base Specification: generations 1 and 2 send 8 bits as 10, 3 to 5 send 128 as 130, 6
// (64 GT/s) in FLITs of 256 bytes with 242 of them payload and headers.
constexpr double kEncoding8b10b = 8.0 / 10;
constexpr double kEncoding128b130b = 128.0 / 130;
constexpr double kEncodingFlit = 242.0 / 256;
constexpr double kLast8b10b = 5.0;      // GT/s
constexpr double kLast128b130b = 32.0;  // GT/s
// A transaction of 256 bytes, the payload that hosts commonly set, has 24 bytes of framing, header
// and checksum around it.
constexpr double kTransaction = 256.0 / (256 + 24);

double encoding(double gigatransfers) {
    if (gigatransfers <= kLast8b10b) {
        return kEncoding8b10b;
    }
    return gigatransfers <= kLast128b130b ? kEncoding128b130b : kEncodingFlit;
}

/// The number in front of "32.0 GT/s PCIe" or "16".
std::optional<double> leading_number(const std::string& file) {
    const auto text = read_small_file(file);
    double number = 0;
    if (!text ||
        std::from_chars(text->data(), text->data() + text->size(), number).ec != std::errc() ||
        !(number > 0) || number > 1000) {
        return std::nullopt;
    }
    return number;
}

}  // namespace

void read_port_hardware(const std::string& sysfs_root, RdmaEndReading& reading) {
    const std::string device = sysfs_root + "/class/infiniband/" + reading.port.device;
    const auto rate =
        read_small_file(device + "/ports/" + std::to_string(reading.port.port) + "/rate");
    reading.rate = rate ? *rate : "";
    const auto speed = leading_number(device + "/device/current_link_speed");
    const auto width = leading_number(device + "/device/current_link_width");
    if (speed && width) {
        reading.pcie_gbps = *speed * *width * encoding(*speed) * kTransaction;
    }
}

}  // namespace yardmaster
