#include "tests/sim/sysfs_tree.hpp"

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <utility>

#include "tests/sim/model.hpp"

namespace yardmaster::sim {
namespace {

namespace fs = std::filesystem;

/// Remembers the first failure of many writes.
class TreeWriter {
  public:
    explicit TreeWriter(fs::path root) : root_(std::move(root)) {}

    void file(const fs::path& path, const std::string& text) {
        std::error_code error;
        fs::create_directories((root_ / path).parent_path(), error);
        std::ofstream out(root_ / path);
        out << text << "\n";
        out.close();
        note(out.good(), path);
    }
    /// A relative link at `path` to `target`, both below the root.
    void link(const fs::path& path, const fs::path& target) {
        std::error_code error;
        fs::create_directories((root_ / path).parent_path(), error);
        fs::create_symlink(target.lexically_relative(path.parent_path()), root_ / path, error);
        note(!error, path);
    }
    Status status() const { return status_; }

  private:
    void note(bool good, const fs::path& path) {
        if (!good && status_) {
            status_ = {ErrorCode::kUnreadable, (root_ / path).string() + ": could not be written"};
        }
    }

    fs::path root_;
    Status status_;
};

struct Port {
    std::string device;
    std::string link_layer;
    double gbps = 0;
    std::string hca_type;
};

/// Slot `n` of the node: a root port with a PCIe switch below it that holds a NIC and a GPU.
struct Slot {
    unsigned domain = 0;
    unsigned bus = 0;  ///< of the root port; the switch and its devices use the next ones
};

Slot slot(const NodeSettings& settings, unsigned n) {
    const SimModel* model = find_sim_model(settings.model);
    if (model != nullptr && n < model->pci_domains.size()) {
        return {model->pci_domains[n], 0};
    }
    return {n / 8, 0x10 + 0x10 * (n % 8)};
}
constexpr Slot kStorageSlot{0, 0x90};
constexpr Slot kManagementSlot{0, 0xa0};

std::string address(unsigned domain, unsigned bus, unsigned device) {
    char text[32];
    std::snprintf(text, sizeof text, "%04x:%02x:%02x.0", domain, bus, device);
    return text;
}

fs::path switch_folder(Slot s) {
    char root_complex[32];
    std::snprintf(root_complex, sizeof root_complex, "pci%04x:%02x", s.domain, s.bus);
    return fs::path("devices") / root_complex / address(s.domain, s.bus, 1) /
           address(s.domain, s.bus + 1, 0);
}

fs::path nic_folder(Slot s) {
    return switch_folder(s) / address(s.domain, s.bus + 2, 0) / address(s.domain, s.bus + 3, 0);
}

fs::path gpu_folder(Slot s) {
    return switch_folder(s) / address(s.domain, s.bus + 2, 1) / address(s.domain, s.bus + 4, 0);
}

void write_pci(TreeWriter& tree,
               const fs::path& folder,
               const std::string& vendor,
               const std::string& device,
               const std::string& device_class) {
    tree.file(folder / "vendor", vendor);
    tree.file(folder / "device", device);
    tree.file(folder / "class", device_class);
    tree.file(folder / "numa_node", "0");
    for (const char* which : {"current", "max"}) {
        tree.file(folder / (std::string(which) + "_link_width"), "16");
        tree.file(folder / (std::string(which) + "_link_speed"), "32.0 GT/s PCIe");
    }
    tree.link(fs::path("bus/pci/devices") / folder.filename(), folder);
}

void write_counters(TreeWriter& tree, const fs::path& port) {
    for (const char* name : {"link_downed",
                             "link_error_recovery",
                             "symbol_error",
                             "port_rcv_errors",
                             "excessive_buffer_overrun_errors",
                             "local_link_integrity_errors",
                             "port_xmit_wait",
                             "port_xmit_discards"}) {
        tree.file(port / "counters" / name, "0");
    }
    tree.file(port / "counters/port_xmit_data", "123456789");
    tree.file(port / "counters/port_rcv_data", "123456789");
    for (const char* name : {"local_ack_timeout_err",
                             "packet_seq_err",
                             "out_of_sequence",
                             "roce_adp_retrans",
                             "out_of_buffer"}) {
        tree.file(port / "hw_counters" / name, "0");
    }
}

void write_nic(TreeWriter& tree, Slot s, const Port& port) {
    const fs::path pci = nic_folder(s);
    write_pci(tree, pci, "0x15b3", "0x1021", "0x020700");
    const fs::path device = pci / "infiniband" / port.device;
    tree.link(device / "device", pci);
    tree.link(fs::path("class/infiniband") / port.device, device);
    tree.file(device / "node_type", "1: CA");
    tree.file(device / "hca_type", port.hca_type);
    tree.file(device / "fw_ver", "28.39.1002");
    const fs::path folder = device / "ports/1";
    tree.file(folder / "state", "4: ACTIVE");
    tree.file(folder / "phys_state", "5: LinkUp");
    tree.file(folder / "rate", rate_text(port.gbps));
    tree.file(folder / "link_layer", port.link_layer);
    write_counters(tree, folder);
}

}  // namespace

std::string rate_text(double gbps) {
    static constexpr std::pair<int, const char*> kKnown[] = {{800, "(4X XDR)"},
                                                             {400, "(4X NDR)"},
                                                             {200, "(4X HDR)"},
                                                             {100, "(4X EDR)"},
                                                             {56, "(4X FDR)"},
                                                             {50, "(2X EDR)"},
                                                             {40, "(4X QDR)"},
                                                             {25, "(1X EDR)"},
                                                             {10, "(4X SDR)"}};
    const int whole = static_cast<int>(std::lround(gbps));
    for (const auto& [known, suffix] : kKnown) {
        if (whole == known) {
            return std::to_string(whole) + " Gb/sec " + suffix;
        }
    }
    return std::to_string(whole) + " Gb/sec (4X)";
}

std::string port_folder(const std::string& root, const std::string& device) {
    return root + "/class/infiniband/" + device + "/ports/1";
}

Status set_file(const std::string& file, const std::string& text) {
    if (!fs::exists(file)) {
        return {ErrorCode::kNotFound, file + ": no such file in the simulated node"};
    }
    std::ofstream out(file);
    out << text << "\n";
    out.close();
    return out ? Status::ok() : Status(ErrorCode::kUnreadable, file + ": could not be written");
}

std::string gpu_address(const NodeSettings& settings, unsigned minor) {
    return gpu_folder(slot(settings, minor)).filename();
}

Status write_sysfs(const NodeSettings& settings, const std::string& root) {
    TreeWriter tree(root);
    for (unsigned i = 0; i < settings.rails.size(); ++i) {
        write_nic(tree,
                  slot(settings, i),
                  {settings.rails[i], "InfiniBand", settings.rail_gbps, "MT4129"});
    }
    for (unsigned minor : settings.minors) {
        write_pci(tree, gpu_folder(slot(settings, minor)), "0x10de", "0x2330", "0x030200");
    }
    if (!settings.storage.empty()) {
        write_nic(tree, kStorageSlot, {settings.storage, "InfiniBand", 200, "MT4123"});
    }
    if (!settings.management.empty()) {
        write_nic(tree, kManagementSlot, {settings.management, "Ethernet", 25, "MT4125"});
    }
    return tree.status();
}

}  // namespace yardmaster::sim
