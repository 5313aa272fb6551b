#include "tests/sim/sysfs_tree.hpp"

#include <cmath>
#include <filesystem>
#include <fstream>
#include <utility>
#include <vector>

#include "tests/sim/model.hpp"
#include "tests/sim/pci_tree.hpp"

namespace yardmaster::sim {
namespace {

namespace fs = std::filesystem;

struct Port {
    std::string device;
    std::string link_layer;
    double gbps = 0;
    std::string hca_type;
    std::string netdev;  ///< "": none
};

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

constexpr const char* kNoGid = "0000:0000:0000:0000:0000:0000:0000:0000";

void write_gids(TreeWriter& tree, const fs::path& folder, const Port& port) {
    const std::string local = "fe80:0000:0000:0000:a088:c2ff:fe00:0001";
    const std::string routed = "0000:0000:0000:0000:0000:ffff:0a00:0001";  // 10.0.0.1
    const bool ethernet = port.link_layer == "Ethernet";
    const std::vector<std::string> gids =
        ethernet ? std::vector{local, local, routed, routed} : std::vector{local};
    for (unsigned i = 0; i < 8; ++i) {
        const std::string number = std::to_string(i);
        tree.file(folder / "gids" / number, i < gids.size() ? gids[i] : kNoGid);
        if (i < gids.size()) {
            tree.file(folder / "gid_attrs/types" / number, i % 2 == 0 ? "IB/RoCE v1" : "RoCE v2");
            tree.file(folder / "gid_attrs/ndevs" / number, port.netdev);
        }
    }
}

void write_port(TreeWriter& tree, const fs::path& folder, const Port& port) {
    tree.file(folder / "state", "4: ACTIVE");
    tree.file(folder / "phys_state", "5: LinkUp");
    tree.file(folder / "rate", rate_text(port.gbps));
    tree.file(folder / "link_layer", port.link_layer);
    write_gids(tree, folder, port);
}

/// The second port of a two-port NIC, of which nobody uses the second.
void write_unused_port(TreeWriter& tree, const fs::path& folder, const Port& port) {
    write_port(tree, folder, port);
    tree.file(folder / "state", "1: DOWN");
    tree.file(folder / "phys_state", "3: Disabled");
    write_counters(tree, folder);
}

fs::path write_rdma_device(TreeWriter& tree, const fs::path& pci, const Port& port) {
    const fs::path device = pci / "infiniband" / port.device;
    tree.link(device / "device", pci);
    tree.link(fs::path("class/infiniband") / port.device, device);
    tree.file(device / "node_type", "1: CA");
    tree.file(device / "hca_type", port.hca_type);
    tree.file(device / "fw_ver", "28.39.1002");
    write_port(tree, device / "ports/1", port);
    return device;
}

void write_netdev(TreeWriter& tree, const fs::path& pci, const std::string& name) {
    tree.file(pci / "net" / name / "operstate", "up");
    tree.link(fs::path("class/net") / name, pci / "net" / name);
}

/// A NIC, except for the bridges above it.
void write_nic(TreeWriter& tree, Slot s, const Port& port, double gts) {
    const fs::path pci = nic_folder(s);
    const std::string device_class = port.link_layer == "Ethernet" ? "0x020000" : "0x020700";
    write_function(tree, pci, {"0x15b3", "0x1021", device_class, gts});
    write_counters(tree, write_rdma_device(tree, pci, port) / "ports/1");
    if (!port.netdev.empty()) {
        write_netdev(tree, pci, port.netdev);
    }
}

/// Virtual functions have a port without counters, and nothing below 1 lane to tell of their link.
void write_virtual_function(TreeWriter& tree, Slot s, unsigned n, const Port& port) {
    const fs::path pci = virtual_folder(s, n);
    write_function(tree, pci, {"0x15b3", "0x101e", "0x020700", 0}, true);
    tree.file(pci / "current_link_width", "0");
    tree.link(pci / "physfn", nic_folder(s));
    write_rdma_device(tree, pci, port);
}

/// A bond of the management NIC's interface, over which the default route leads.
void write_bond(TreeWriter& tree, const std::string& netdev) {
    const fs::path bond = "devices/virtual/net/bond0";
    tree.file(bond / "operstate", "up");
    tree.file(bond / "bonding/mode", "802.3ad 4");
    tree.link("class/net/bond0", bond);
    tree.link(fs::path("class/net") / netdev / "upper_bond0", bond);
}

Slot slot_of(const SimModel& model, unsigned n) {
    return n < model.pci_domains.size() ? Slot{model.pci_domains[n], 0} : usual_slot(n);
}

/// Where the rail of slot `i` sits: beside its GPU, or below a root port of its own.
Slot rail_slot(const SimModel& model, unsigned i) {
    return model.nic_beside_gpu ? slot_of(model, i) : usual_slot(i + 32);
}

void write_rail(TreeWriter& tree, const NodeSettings& settings, const SimModel& model, unsigned i) {
    const Slot s = rail_slot(model, i);
    const bool ethernet = model.link_layer == "Ethernet";
    const Port port{settings.rails[i],
                    std::string(model.link_layer),
                    settings.rail_gbps,
                    std::string(model.hca_type),
                    ethernet ? "eth" + std::to_string(i) : ""};
    write_bridges(tree, s, pcie_gts(model));
    write_nic(tree, s, port, pcie_gts(model));
    if (settings.two_ports) {
        write_unused_port(tree, nic_folder(s) / "infiniband" / port.device / "ports/2", port);
    }
    for (unsigned n = 0; n < settings.virtual_functions; ++n) {
        Port vf = port;
        vf.device = port.device + "_vf" + std::to_string(n);
        vf.netdev = "";
        write_virtual_function(tree, s, n, vf);
    }
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
    const SimModel* model = find_sim_model(settings.model);
    return gpu_folder(model == nullptr ? usual_slot(minor) : slot_of(*model, minor)).filename();
}

Status write_sysfs(const NodeSettings& settings, const std::string& root) {
    TreeWriter tree(root);
    const SimModel* found = find_sim_model(settings.model);
    if (found == nullptr) {
        return {ErrorCode::kInvalidArgument, "no model \"" + settings.model + "\""};
    }
    const SimModel& model = *found;
    write_cpu(tree);
    for (unsigned i = 0; i < settings.rails.size(); ++i) {
        write_rail(tree, settings, model, i);
    }
    for (unsigned minor : settings.minors) {
        const fs::path gpu = gpu_folder(slot_of(model, minor));
        write_bridges(tree, slot_of(model, minor), pcie_gts(model));
        write_function(
            tree, gpu, {"0x10de", std::string(model.gpu_device), "0x030200", pcie_gts(model)});
        tree.link(fs::path("bus/pci/drivers/nvidia") / gpu.filename(), gpu);
    }
    if (!settings.storage.empty()) {
        write_bridges(tree, kStorageSlot, 16);
        write_nic(tree, kStorageSlot, {settings.storage, "InfiniBand", 200, "MT4123", ""}, 16);
    }
    if (!settings.management.empty()) {
        write_bridges(tree, kManagementSlot, 16);
        write_nic(
            tree, kManagementSlot, {settings.management, "Ethernet", 25, "MT4125", "eth_mgmt"}, 16);
        write_bond(tree, "eth_mgmt");
    }
    return tree.status();
}

}  // namespace yardmaster::sim
