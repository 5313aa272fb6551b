#include "healthcheck/port/port_reader.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <system_error>

#include "healthcheck/small_file.hpp"

namespace yardmaster {
namespace {

namespace fs = std::filesystem;

/// Sorted names in `folder`.
Result<std::vector<std::string>> names_in(const fs::path& folder) {
    std::vector<std::string> names;
    std::error_code error;
    fs::directory_iterator entry(folder, error);
    for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
        names.push_back(entry->path().filename());
    }
    if (error) {
        return Status(error == std::errc::no_such_file_or_directory ? ErrorCode::kNotFound
                                                                    : ErrorCode::kUnreadable,
                      folder.string() + ": " + error.message());
    }
    std::sort(names.begin(), names.end());
    return names;
}

std::optional<std::string> read_member(const fs::path& file, PortReading& reading) {
    auto text = read_small_file(file);
    if (!text) {
        reading.errors.push_back(text.status().message());
        return std::nullopt;
    }
    return *text;
}

CounterReading read_counter(const fs::path& file) {
    auto text = read_small_file(file);
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

void read_counters(const fs::path& port, const std::string& folder, PortReading& reading) {
    const auto names = names_in(port / folder);
    if (!names) {
        reading.errors.push_back(names.status().message());
        return;
    }
    for (const std::string& name : *names) {
        reading.counters[folder + "/" + name] = read_counter(port / folder / name);
    }
}

/// GIDs, and on Ethernet the interface below the port and its state.
void read_address(const fs::path& sysfs, const fs::path& port, PortReading& reading) {
    const bool ethernet = reading.link_layer == "Ethernet";
    reading.gids = read_gids(port, ethernet);
    if (!ethernet) {
        return;
    }
    const auto names = names_in(sysfs / "class/infiniband" / reading.device / "device/net");
    const auto told = read_small_file(port / "gid_attrs/ndevs/0");
    if (told || (names && !names->empty())) {
        reading.netdev = told ? *told : names->front();
        const auto state = read_small_file(sysfs / "class/net" / *reading.netdev / "operstate");
        reading.operstate = state ? std::optional(*state) : std::nullopt;
    }
}

}  // namespace

PortInventory read_port_inventory(const std::string& sysfs_root) {
    auto names = names_in(fs::path(sysfs_root) / "class/infiniband");
    if (!names) {
        return {false, {}, names.status().message()};
    }
    return {true, std::move(names).value(), ""};
}

PortReading read_port(const std::string& sysfs_root, const std::string& device, unsigned port) {
    PortReading reading;
    reading.device = device;
    reading.port = port;
    const fs::path folder =
        fs::path(sysfs_root) / "class/infiniband" / device / "ports" / std::to_string(port);
    std::error_code error;
    reading.present = fs::is_directory(folder, error);
    if (!reading.present) {
        reading.errors.push_back(folder.string() + ": " +
                                 (error ? error.message() : "no such folder"));
        return reading;
    }
    reading.state = read_member(folder / "state", reading);
    reading.phys_state = read_member(folder / "phys_state", reading);
    reading.rate = read_member(folder / "rate", reading);
    reading.link_layer = read_member(folder / "link_layer", reading);
    read_address(fs::path(sysfs_root), folder, reading);
    read_counters(folder, "counters", reading);
    read_counters(folder, "hw_counters", reading);
    return reading;
}

}  // namespace yardmaster
