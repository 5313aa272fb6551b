// Damage to a simulated node's ports, addresses and PCIe links.
#include <charconv>
#include <cstdio>
#include <filesystem>
#include <functional>

#include "healthcheck/small_file.hpp"
#include "tests/sim/pci_tree.hpp"
#include "tests/sim/sim_node.hpp"
#include "tests/sim/sysfs_tree.hpp"

namespace yardmaster::sim {
namespace {

namespace fs = std::filesystem;

constexpr const char* kNoGid = "0000:0000:0000:0000:0000:0000:0000:0000";

/// Empties the GIDs of a port for which `goes(text)` holds.
Status remove_gids(const std::string& port, const std::function<bool(const std::string&)>& goes) {
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(port + "/gids", error)) {
        const auto gid = read_small_file(entry.path());
        if (gid && goes(*gid)) {
            if (Status status = set_file(entry.path(), kNoGid); !status) {
                return status;
            }
        }
    }
    return error ? Status(ErrorCode::kNotFound, port + "/gids: " + error.message()) : Status::ok();
}

/// 3 of "GPU3".
unsigned minor_of(const std::string& gpu) {
    return static_cast<unsigned>(std::atoi(gpu.c_str() + 3));
}

std::string speed_text(double gts) {
    char text[32];
    std::snprintf(text, sizeof text, "%.1f GT/s PCIe", gts);
    return text;
}

}  // namespace

Status SimNode::grow_counter(const std::string& device,
                             const std::string& counter,
                             unsigned by) const {
    const std::string file = port(device) + "/" + counter;
    const auto text = read_small_file(file);
    std::uint64_t value = 0;
    if (!text ||
        std::from_chars(text->data(), text->data() + text->size(), value).ec != std::errc()) {
        return {ErrorCode::kNotFound, file + ": no such counter"};
    }
    return set_file(file, std::to_string(value + by));
}

Status SimNode::empty_gids(const std::string& device) const {
    return remove_gids(port(device), [](const std::string&) { return true; });
}

Status SimNode::unroute_gids(const std::string& device) const {
    return remove_gids(port(device),
                       [](const std::string& gid) { return !gid.starts_with("fe80:"); });
}

Status SimNode::netdev_down(const std::string& device) const {
    std::error_code error;
    const fs::path net = fs::path(sysfs_root()) / "class/infiniband" / device / "device/net";
    const fs::directory_iterator entry(net, error);
    if (error || entry == fs::directory_iterator()) {
        return {ErrorCode::kNotFound, device + ": has no network interface"};
    }
    return set_file(entry->path() / "operstate", "down");
}

Result<std::string> SimNode::pci_folder(const std::string& object) const {
    fs::path way = fs::path(sysfs_root()) / "bus/pci/devices" / object;
    if (object.starts_with("GPU")) {
        const auto settings = load_settings(folder_ + "/node.json");
        if (!settings) {
            return settings.status();
        }
        way = fs::path(sysfs_root()) / "bus/pci/devices" / gpu_address(*settings, minor_of(object));
    } else if (object.find(':') == std::string::npos) {
        way = fs::path(sysfs_root()) / "class/infiniband" / object / "device";
    }
    std::error_code error;
    const fs::path folder = fs::canonical(way, error);
    return error ? Result<std::string>(ErrorCode::kNotFound, object + ": " + error.message())
                 : Result<std::string>(folder.string());
}

std::string SimNode::read_address(const std::string& object) const {
    const auto folder = pci_folder(object);
    return folder ? fs::path(*folder).filename().string() : "";
}

Status SimNode::set_width(const std::string& object, unsigned lanes) const {
    const auto folder = pci_folder(object);
    if (!folder) {
        return folder.status();
    }
    const std::string text = std::to_string(lanes);
    Status status = set_file(*folder + "/current_link_width", text);
    if (status && object.starts_with("GPU")) {  // NVML tells the same width
        status = change_gpu(minor_of(object), [&](SimGpu& gpu) { gpu.pcie_width = lanes; });
    }
    const std::string above = fs::path(*folder).parent_path() / "current_link_width";
    return status && fs::exists(above) ? set_file(above, text) : status;
}

Status SimNode::set_max_speed(const std::string& object, double gts) const {
    const auto folder = pci_folder(object);
    return folder ? set_file(*folder + "/max_link_speed", speed_text(gts)) : folder.status();
}

Status SimNode::set_aer(const std::string& object, const std::string& kind, unsigned count) const {
    const auto folder = pci_folder(object);
    return folder ? set_file(*folder + "/aer_dev_" + kind, aer_text(kind, count)) : folder.status();
}

Status SimNode::swap_nics(const std::string& a, const std::string& b) const {
    const fs::path folder = fs::path(sysfs_root()) / "class/infiniband";
    std::error_code error;
    fs::rename(folder / a, folder / ".swapped", error);
    if (!error) {
        fs::rename(folder / b, folder / a, error);
    }
    if (!error) {
        fs::rename(folder / ".swapped", folder / b, error);
    }
    return error ? Status(ErrorCode::kNotFound, a + " and " + b + ": " + error.message())
                 : Status::ok();
}

Status SimNode::reboot() const {
    const std::string file = folder_ + "/proc/sys/kernel/random/boot_id";
    const auto old = read_small_file(file);
    if (!old) {
        return old.status();
    }
    std::string next = *old;
    next.front() = next.front() == 'f' ? '0' : 'f';
    return set_file(file, next);
}

}  // namespace yardmaster::sim
