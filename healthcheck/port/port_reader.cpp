#include "healthcheck/port/port_reader.hpp"

#include <charconv>

#include "healthcheck/open_folder.hpp"
#include "healthcheck/small_file.hpp"

namespace yardmaster {
namespace {

std::optional<std::string> read_member(const OpenFolder& port,
                                       const std::string& name,
                                       PortReading& reading) {
    auto text = port.read(name);
    if (!text) {
        reading.errors.push_back(text.status().message());
        return std::nullopt;
    }
    return *text;
}

CounterReading read_counter(const OpenFolder& counters, const std::string& name) {
    auto text = counters.read(name);
    if (!text) {
        return {std::nullopt, text.status().message()};
    }
    std::uint64_t value = 0;
    const char* end = text->data() + text->size();
    const auto parsed = std::from_chars(text->data(), end, value);
    if (parsed.ec != std::errc() || parsed.ptr != end) {
        return {std::nullopt, *text};
    }
    return {value, ""};
}

void read_counters(const OpenFolder& port, const std::string& folder, PortReading& reading) {
    const auto counters = port.folder(folder);
    const auto names = counters ? counters->names() : counters.status();
    if (!names) {
        reading.errors.push_back(names.status().message());
        return;
    }
    for (const std::string& name : *names) {
        reading.counters[folder + "/" + name] = read_counter(*counters, name);
    }
}

/// GIDs, and on Ethernet the interface below the port and its state.
void read_address(const std::string& sysfs, const OpenFolder& port, PortReading& reading) {
    const bool ethernet = reading.link_layer == "Ethernet";
    reading.gids = read_gids(port, ethernet);
    if (!ethernet) {
        return;
    }
    const auto told = port.read("gid_attrs/ndevs/0");
    const auto names =
        told ? std::vector{*told}
             : names_in(sysfs + "/class/infiniband/" + reading.device + "/device/net");
    if (!names.empty()) {
        reading.netdev = names.front();
        const auto state = read_small_file(sysfs + "/class/net/" + names.front() + "/operstate");
        reading.operstate = state ? std::optional(*state) : std::nullopt;
    }
}

}  // namespace

PortInventory read_port_inventory(const std::string& sysfs_root) {
    const auto folder = OpenFolder::open(sysfs_root + "/class/infiniband");
    auto names = folder ? folder->names() : folder.status();
    if (!names) {
        return {false, {}, names.status().message()};
    }
    return {true, std::move(names).value(), ""};
}

PortReading read_port(const std::string& sysfs_root, const std::string& device, unsigned port) {
    PortReading reading;
    reading.device = device;
    reading.port = port;
    const auto folder = OpenFolder::open(sysfs_root + "/class/infiniband/" + device + "/ports/" +
                                         std::to_string(port));
    reading.present = folder.is_ok();
    if (!folder) {
        reading.errors.push_back(folder.status().message());
        return reading;
    }
    reading.state = read_member(*folder, "state", reading);
    reading.phys_state = read_member(*folder, "phys_state", reading);
    reading.rate = read_member(*folder, "rate", reading);
    reading.link_layer = read_member(*folder, "link_layer", reading);
    read_address(sysfs_root, *folder, reading);
    read_counters(*folder, "counters", reading);
    read_counters(*folder, "hw_counters", reading);
    return reading;
}

}  // namespace yardmaster
