#include "healthcheck/readers.hpp"

#include <algorithm>
#include <filesystem>

#include "base/json_value.hpp"
#include "healthcheck/baseline/next_baseline.hpp"
#include "healthcheck/baseline/state_file.hpp"
#include "healthcheck/budget/child.hpp"
#include "healthcheck/crossnode/cross_line.hpp"
#include "healthcheck/gpu/gpu_numbering.hpp"
#include "healthcheck/gpu/gpu_reader.hpp"
#include "healthcheck/nccl/nccl_json.hpp"
#include "healthcheck/nccl/nccl_task.hpp"
#include "healthcheck/nvlink/nvlink_reader.hpp"
#include "healthcheck/pcie/pcie_reader.hpp"
#include "healthcheck/port/identity_reader.hpp"
#include "healthcheck/port/port_reader.hpp"
#include "healthcheck/rdma/rdma_json.hpp"
#include "healthcheck/wiring/wiring_reader.hpp"

namespace yardmaster {
namespace {

template <typename Reading>
void send(int fd, const char* kind, const Reading& reading) {
    write_line(fd, JsonValue::object().set(kind, to_json(reading)).dump_exact());
}

void replace_or_add(GpuReading gpu, std::vector<GpuReading>& gpus) {
    const auto same = std::find_if(gpus.begin(), gpus.end(), [&](const GpuReading& other) {
        return other.index == gpu.index;
    });
    if (same == gpus.end()) {
        gpus.push_back(std::move(gpu));
    } else {
        *same = std::move(gpu);
    }
}

template <typename Reading>
Status add(const JsonNode& value, std::vector<Reading>& readings) {
    Reading reading;
    Status status = from_json(value, reading);
    readings.push_back(std::move(reading));
    return status;
}

void keep_gpus_of(const CheckScope& scope, std::vector<GpuReading>& gpus) {
    std::erase_if(gpus, [&](const GpuReading& gpu) {
        return std::none_of(scope.gpus.begin(), scope.gpus.end(), [&](unsigned minor) {
            return gpu.minor.ok() && gpu.minor.value == minor;
        });
    });
}

Status apply_member(const std::string& kind, const JsonNode& value, Readings& readings) {
    if (kind.starts_with("nccl_")) {
        return apply_nccl_line(kind, value, readings.nccl);
    }
    if (kind.starts_with("rdma_")) {
        return apply_rdma_line(kind, value, readings.rdma);
    }
    if (kind.starts_with("cross_")) {
        return apply_cross_line(kind, value, readings.crossnode);
    }
    if (kind == "inventory") {
        return from_json(value, readings.inventory);
    }
    if (kind == "nvml") {
        return from_json(value, readings.nvml);
    }
    if (kind == "wiring") {
        return from_json(value, readings.wiring);
    }
    if (kind == "baseline") {
        return from_json(value, readings.baseline);
    }
    if (kind == "proven") {
        return from_json(value, readings.proven);
    }
    if (kind == "port") {
        return add(value, readings.ports);
    }
    if (kind == "identity") {
        return add(value, readings.identities);
    }
    if (kind == "pci") {
        return add(value, readings.pci);
    }
    if (kind == "note") {
        auto text = value.string();
        readings.notes.push_back(text ? *text : "");
        return text.status();
    }
    GpuReading gpu;
    Status status = kind == "gpu" ? from_json(value, gpu) : value.error("is of no known kind");
    if (status) {
        replace_or_add(std::move(gpu), readings.gpus);
    }
    return status;
}

}  // namespace

void send_ports(const CheckScope& scope, const CheckSources& sources, int fd) {
    const PortInventory inventory = read_port_inventory(sources.sysfs_root);
    send(fd, "inventory", inventory);
    for (const ExpectedRail& rail : scope.rails) {
        send(fd, "port", read_port(sources.sysfs_root, rail.device, rail.port));
    }
    if (!rails_by_nearness(scope)) {
        return;
    }
    for (const std::string& device : inventory.devices) {
        if (read_identity(sources.sysfs_root, device, {}).physical.empty()) {
            send(fd, "port", read_port(sources.sysfs_root, device, 1));
        }
    }
}

void send_pcie(const CheckScope& scope, const CheckSources& sources, int fd) {
    PciReader reader(sources.sysfs_root);
    for (const std::string& address : gpu_addresses(sources.sysfs_root)) {
        send(fd, "pci", reader.read(address));
    }
    for (const ExpectedRail& rail : scope.rails) {
        const std::string address = rdma_address(sources.sysfs_root, rail.device);
        if (!address.empty()) {
            PciReading reading = reader.read(address);
            reading.device = rail.device;
            send(fd, "pci", reading);
        }
    }
}

void send_wiring(const CheckSources& sources, int fd) {
    const std::string proc = std::filesystem::path(sources.sysfs_root).parent_path() / "proc";
    const auto default_routes = default_route_interfaces(proc);
    for (const std::string& device : read_port_inventory(sources.sysfs_root).devices) {
        send(fd, "identity", read_identity(sources.sysfs_root, device, default_routes));
    }
    send(fd, "wiring", read_wiring(sources.sysfs_root));
}

template <typename State>
void send_kept(const CheckSources& sources, const char* kind, const char* subject, int fd) {
    const auto kept = read_state<State>(sources.state_dir, subject);
    if (kept.state) {
        send(fd, kind, *kept.state);
    } else if (!kept.note.empty()) {
        write_line(fd, JsonValue::object().set("note", kept.note).dump_exact());
    }
}

void send_state(const CheckSources& sources, int fd) {
    send_kept<CounterBaseline>(sources, "baseline", kCounterSubject, fd);
    send_kept<ProvenState>(sources, "proven", kProvenSubject, fd);
    send_nccl_starts(sources, fd);
}

void send_gpus(const CheckScope& scope, const CheckSources& sources, int fd) {
    const auto nvml = make_nvml(sources.nvml_library);
    const NvmlReading library = read_nvml(*nvml);
    send(fd, "nvml", library);
    const auto devices = static_cast<unsigned>(library.device_count.value);
    std::vector<GpuReading> gpus;
    for (unsigned index = 0; index < devices; ++index) {
        gpus.push_back(read_gpu(*nvml, index));
        send(fd, "gpu", gpus.back());
    }
    keep_gpus_of(number_by_minor(scope, library, gpus).scope, gpus);
    for (GpuReading& gpu : gpus) {
        read_nvlinks(*nvml, devices, gpu);
        send(fd, "gpu", gpu);
    }
    for (GpuReading& gpu : gpus) {
        read_nvlink_fields(*nvml, gpu);
        send(fd, "gpu", gpu);
    }
}

Status apply_line(const std::string& line, Readings& readings) {
    auto document = JsonDocument::parse(line);
    if (!document) {
        return document.status();
    }
    auto members = document->root().members();
    if (!members || members->size() != 1) {
        return document->root().error("must be an object with one member");
    }
    return apply_member(members->front().first, members->front().second, readings);
}

}  // namespace yardmaster
