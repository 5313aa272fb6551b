#include "healthcheck/pcie/pcie_reader.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <string_view>

#include "healthcheck/open_folder.hpp"

namespace yardmaster {
namespace {

namespace fs = std::filesystem;

// What the kernel shows for a width it does not know (enum pcie_link_width, include/linux/pci.h).
constexpr unsigned kWidthUnknown = 0xff;

std::optional<unsigned> read_width(const OpenFolder& folder, const char* file) {
    const auto text = folder.read(file);
    unsigned width = 0;
    if (!text ||
        std::from_chars(text->data(), text->data() + text->size(), width).ec != std::errc() ||
        width == 0 || width == kWidthUnknown) {
        return std::nullopt;
    }
    return width;
}

/// "32.0 GT/s PCIe", "8 GT/s" before Linux 4.19, "Unknown".
std::optional<double> read_speed(const OpenFolder& folder, const char* file) {
    const auto text = folder.read(file);
    double speed = 0;
    if (!text ||
        std::from_chars(text->data(), text->data() + text->size(), speed).ec != std::errc() ||
        !(speed > 0)) {
        return std::nullopt;
    }
    return speed;
}

PciLink read_link(const OpenFolder& folder, const std::string& address) {
    return {address,
            read_width(folder, "current_link_width"),
            read_width(folder, "max_link_width"),
            read_speed(folder, "current_link_speed"),
            read_speed(folder, "max_link_speed")};
}

/// The last line, "TOTAL_ERR_COR 5", of an AER statistics file (kernel drivers/pci/pcie/aer.c).
void read_total(const OpenFolder& folder, const char* kind, PciReading& reading) {
    const auto text = folder.read(std::string("aer_dev_") + kind);
    if (!text) {
        return;
    }
    const auto blank = text->rfind(' ');
    std::uint64_t total = 0;
    const char* end = text->data() + text->size();
    if (blank != std::string::npos && text->find("TOTAL_ERR") != std::string::npos &&
        std::from_chars(text->data() + blank + 1, end, total).ptr == end) {
        reading.errors[kind] = total;
    }
}

/// The number of 1 to `digits` hexadecimal digits that `text` begins with, which goes from it with
/// `after` behind it. These two are called hundreds of times in a check.
std::optional<unsigned> take_hex(std::string_view& text,
                                 std::size_t digits,
                                 std::string_view after) {
    unsigned value = 0;
    const char* end = text.data() + std::min(digits, text.size());
    const auto parsed = std::from_chars(text.data(), end, value, 16);
    text.remove_prefix(static_cast<std::size_t>(parsed.ptr - text.data()));
    if (parsed.ec != std::errc() || !text.starts_with(after)) {
        return std::nullopt;
    }
    text.remove_prefix(after.size());
    return value;
}

/// Of at least `digits` digits, in lower case.
std::string padded_hex(unsigned value, std::size_t digits) {
    char bytes[8];
    const auto size =
        static_cast<std::size_t>(std::to_chars(bytes, bytes + sizeof bytes, value, 16).ptr - bytes);
    return std::string(digits - std::min(digits, size), '0') + std::string(bytes, size);
}

}  // namespace

std::string pci_address(const std::string& text) {
    std::string_view rest = text;
    const auto domain = take_hex(rest, 8, ":");
    const auto bus = take_hex(rest, 2, ":");
    const auto device = take_hex(rest, 2, ".");
    const auto function = take_hex(rest, 1, "");
    if (!domain || !bus || !device || !function || !rest.empty()) {
        return "";
    }
    return padded_hex(*domain, 4) + ":" + padded_hex(*bus, 2) + ":" + padded_hex(*device, 2) + "." +
           padded_hex(*function, 1);
}

std::vector<std::string> gpu_addresses(const std::string& sysfs_root) {
    std::vector<std::string> addresses;
    std::error_code error;
    fs::directory_iterator entry(fs::path(sysfs_root) / "bus/pci/drivers/nvidia", error);
    for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
        const std::string address = pci_address(entry->path().filename());
        if (!address.empty()) {
            addresses.push_back(address);
        }
    }
    std::sort(addresses.begin(), addresses.end());
    return addresses;
}

std::string rdma_address(const std::string& sysfs_root, const std::string& device) {
    // .../0000:13:00.0/infiniband/mlx5_3
    std::error_code error;
    const auto target = fs::read_symlink(fs::path(sysfs_root) / "class/infiniband" / device, error);
    return error ? "" : pci_address(target.parent_path().parent_path().filename());
}

PciReading PciReader::read(const std::string& address) {
    PciReading reading;
    reading.address = address;
    std::error_code error;
    const fs::path links = fs::path(root_) / "bus/pci/devices";
    const fs::path target = fs::read_symlink(links / address, error);
    const fs::path place = (links / target).lexically_normal();
    const auto folder = OpenFolder::open(place);
    if (error || !folder) {
        return reading;
    }
    const auto vendor = folder->read("vendor");
    const auto device = folder->read("device");
    reading.kind = vendor && device ? *vendor + ":" + *device : "";
    for (const char* kind : {"correctable", "nonfatal", "fatal"}) {
        read_total(*folder, kind, reading);
    }
    reading.path.push_back(read_link(*folder, place.filename()));
    for (fs::path above = place.parent_path(); !pci_address(above.filename()).empty();
         above = above.parent_path()) {
        reading.path.push_back(bridge(above));
    }
    return reading;
}

const PciLink& PciReader::bridge(const std::string& place) {
    const auto [link, is_new] = bridges_.try_emplace(place);
    if (is_new) {
        link->second.address = fs::path(place).filename();
        if (const auto folder = OpenFolder::open(place)) {
            link->second = read_link(*folder, link->second.address);
        }
    }
    return link->second;
}

}  // namespace yardmaster
