#include "healthcheck/pcie/pcie_reader.hpp"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <filesystem>

#include "healthcheck/small_file.hpp"

namespace yardmaster {
namespace {

namespace fs = std::filesystem;

// What the kernel shows for a width it does not know (enum pcie_link_width, include/linux/pci.h).
constexpr unsigned kWidthUnknown = 0xff;

std::optional<unsigned> read_width(const fs::path& file) {
    const auto text = read_small_file(file);
    unsigned width = 0;
    if (!text ||
        std::from_chars(text->data(), text->data() + text->size(), width).ec != std::errc() ||
        width == 0 || width == kWidthUnknown) {
        return std::nullopt;
    }
    return width;
}

/// "32.0 GT/s PCIe", "8 GT/s" before Linux 4.19, "Unknown".
std::optional<double> read_speed(const fs::path& file) {
    const auto text = read_small_file(file);
    double speed = 0;
    if (!text ||
        std::from_chars(text->data(), text->data() + text->size(), speed).ec != std::errc() ||
        !(speed > 0)) {
        return std::nullopt;
    }
    return speed;
}

PciLink read_link(const fs::path& folder) {
    return {folder.filename(),
            read_width(folder / "current_link_width"),
            read_width(folder / "max_link_width"),
            read_speed(folder / "current_link_speed"),
            read_speed(folder / "max_link_speed")};
}

/// The last line, "TOTAL_ERR_COR 5", of an AER statistics file (kernel drivers/pci/pcie/aer.c).
void read_total(const fs::path& folder, const char* kind, PciReading& reading) {
    const auto text = read_small_file(folder / (std::string("aer_dev_") + kind));
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

}  // namespace

std::string pci_address(const std::string& text) {
    unsigned domain = 0, bus = 0, device = 0, function = 0;
    int length = 0;
    if (std::sscanf(
            text.c_str(), "%8x:%2x:%2x.%1x%n", &domain, &bus, &device, &function, &length) != 4 ||
        static_cast<std::size_t>(length) != text.size()) {
        return "";
    }
    char address[32];
    std::snprintf(address, sizeof address, "%04x:%02x:%02x.%x", domain, bus, device, function);
    return address;
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
    if (error) {
        return reading;
    }
    fs::path folder = (links / target).lexically_normal();
    const auto vendor = read_small_file(folder / "vendor");
    const auto device = read_small_file(folder / "device");
    reading.kind = vendor && device ? *vendor + ":" + *device : "";
    for (const char* kind : {"correctable", "nonfatal", "fatal"}) {
        read_total(folder, kind, reading);
    }
    reading.path.push_back(read_link(folder));
    for (folder = folder.parent_path(); !pci_address(folder.filename()).empty();
         folder = folder.parent_path()) {
        const auto [bridge, is_new] = bridges_.try_emplace(folder);
        if (is_new) {
            bridge->second = read_link(folder);
        }
        reading.path.push_back(bridge->second);
    }
    return reading;
}

}  // namespace yardmaster
