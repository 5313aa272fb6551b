#include "tests/faults/certain_faults.hpp"

#include <algorithm>

#include "healthcheck/gpu/gpu_judge.hpp"
#include "tests/sim/sysfs_tree.hpp"

namespace yardmaster::faults {
namespace {

using sim::SimModel;

bool on_all(const SimModel&) {
    return true;
}
bool on_switched(const SimModel& model) {
    return model.switched;
}
bool on_fabric(const SimModel& model) {
    return model.fabric.code == kNvmlSuccess;
}

/// A GPU of the job.
unsigned some_gpu(RandomReadings& random, const Drawn& drawn) {
    return drawn.scope.gpus[random.pick(drawn.scope.gpus.size())];
}

GpuReading& reading_of(unsigned minor, Drawn& drawn) {
    return *std::find_if(drawn.readings.gpus.begin(),
                         drawn.readings.gpus.end(),
                         [&](const GpuReading& gpu) { return gpu.minor.value == minor; });
}

PortReading& some_port(RandomReadings& random, Drawn& drawn) {
    const ExpectedRail& rail = drawn.scope.rails[random.pick(drawn.scope.rails.size())];
    return *std::find_if(drawn.readings.ports.begin(),
                         drawn.readings.ports.end(),
                         [&](const PortReading& port) { return port.device == rail.device; });
}

Planted missing_gpu(RandomReadings& random, Drawn& drawn) {
    const unsigned minor = some_gpu(random, drawn);
    std::erase_if(drawn.readings.gpus,
                  [&](const GpuReading& gpu) { return gpu.minor.value == minor; });
    drawn.readings.nvml.device_count.value = drawn.readings.gpus.size();
    return {gpu_name(minor), "gpu.presence"};
}

Planted lost_gpu(RandomReadings& random, Drawn& drawn) {
    const unsigned minor = some_gpu(random, drawn);
    GpuReading& gpu = reading_of(minor, drawn);
    if (random.chance(0.5)) {
        gpu.handle_code = kNvmlGpuIsLost;
        gpu.minor = {kNvmlGpuIsLost, 0};
    } else {
        gpu.ecc_uncorrected = {kNvmlGpuIsLost, 0};
    }
    return {gpu_name(minor), "gpu.presence"};
}

Planted missing_nic(RandomReadings& random, Drawn& drawn) {
    PortReading& port = some_port(random, drawn);
    const std::string device = port.device;
    port = {};
    port.device = device;
    std::erase(drawn.readings.inventory.devices, device);
    std::erase_if(drawn.readings.identities,
                  [&](const PortIdentity& identity) { return identity.device == device; });
    return {device, "port.presence"};
}

Planted down_port(RandomReadings& random, Drawn& drawn) {
    PortReading& port = some_port(random, drawn);
    port.state = "1: DOWN";
    port.phys_state = random.chance(0.5) ? "2: Polling" : "3: Disabled";
    port.rate = sim::rate_text(10);
    return {port.device, "port.state"};
}

Planted slow_port(RandomReadings& random, Drawn& drawn) {
    static constexpr double kSlower[] = {10, 25, 40, 50, 56, 100};
    PortReading& port = some_port(random, drawn);
    port.rate = sim::rate_text(kSlower[random.pick(std::size(kSlower))]);
    return {port.device, "port.rate"};
}

Planted no_gid(RandomReadings& random, Drawn& drawn) {
    PortReading& port = some_port(random, drawn);
    port.gids = std::vector<GidReading>();
    return {port.device, "port.gid"};
}

/// The device's own link: the lower end is the first of the path.
Planted narrow_link(RandomReadings& random, Drawn& drawn, const std::string& object, auto matches) {
    static constexpr unsigned kNarrower[] = {1, 2, 4, 8};
    PciReading& device =
        *std::find_if(drawn.readings.pci.begin(), drawn.readings.pci.end(), matches);
    device.path[0].current_width = kNarrower[random.pick(std::size(kNarrower))];
    return {object, "pcie.width"};
}

Planted narrow_gpu(RandomReadings& random, Drawn& drawn) {
    const unsigned minor = some_gpu(random, drawn);
    const std::string address = pci_address(reading_of(minor, drawn).pci);
    return narrow_link(random, drawn, gpu_name(minor), [&](const PciReading& device) {
        return device.address == address;
    });
}

Planted narrow_nic(RandomReadings& random, Drawn& drawn) {
    const std::string name = some_port(random, drawn).device;
    return narrow_link(
        random, drawn, name, [&](const PciReading& device) { return device.device == name; });
}

Planted inactive_nvlink(RandomReadings& random, Drawn& drawn) {
    const unsigned minor = some_gpu(random, drawn);
    auto& links = reading_of(minor, drawn).nvlinks;
    const auto active = static_cast<std::size_t>(std::count_if(
        links.begin(), links.end(), [](const NvmlNumber& link) { return link.ok(); }));
    links[random.pick(active)].value = 0;
    return {gpu_name(minor), "nvlink.state"};
}

Planted sick_fabric(RandomReadings& random, Drawn& drawn) {
    static constexpr std::uint32_t kMasks[] = {0x1a9, 0x19a, 0x2aa, 0x4aa, 0x8aa};
    const unsigned minor = some_gpu(random, drawn);
    FabricReading& fabric = reading_of(minor, drawn).nvlink.fabric;
    if (random.chance(0.5)) {
        fabric.status = kNvmlUnknown;
    } else {
        fabric.health = kMasks[random.pick(std::size(kMasks))];
    }
    return {gpu_name(minor), "nvlink.fabric"};
}

Planted recovery(RandomReadings& random, Drawn& drawn) {
    const unsigned minor = some_gpu(random, drawn);
    const std::uint64_t action = 1 + random.pick(4);
    reading_of(minor, drawn).recovery_action = {kNvmlSuccess, action};
    return {gpu_name(minor), action == 1 ? "gpu.reset" : "gpu.recovery"};
}

Planted failed_remap(RandomReadings& random, Drawn& drawn) {
    const unsigned minor = some_gpu(random, drawn);
    GpuReading& gpu = reading_of(minor, drawn);
    (random.chance(0.5) ? gpu.remap_failed : gpu.remap_pending) = {kNvmlSuccess, 1};
    return {gpu_name(minor), "gpu.remap"};
}

Planted memory_errors(RandomReadings& random, Drawn& drawn) {
    const unsigned minor = some_gpu(random, drawn);
    reading_of(minor, drawn).ecc_uncorrected = {kNvmlSuccess, 1 + random.pick(1000)};
    return {gpu_name(minor), "gpu.ecc"};
}

}  // namespace

const std::vector<CertainFault>& certain_faults() {
    static const std::vector<CertainFault> faults = {
        {"GPU missing", on_all, missing_gpu},
        {"GPU lost", on_all, lost_gpu},
        {"NIC missing", on_all, missing_nic},
        {"port down", on_all, down_port},
        {"rate stepped down", on_all, slow_port},
        {"no GID", on_all, no_gid},
        {"GPU's PCIe width stepped down", on_all, narrow_gpu},
        {"NIC's PCIe width stepped down", on_all, narrow_nic},
        {"NVLink inactive", on_switched, inactive_nvlink},
        {"fabric unhealthy", on_fabric, sick_fabric},
        {"recovery action", on_all, recovery},
        {"remap failed or pending", on_all, failed_remap},
        {"uncorrected memory errors", on_all, memory_errors},
    };
    return faults;
}

}  // namespace yardmaster::faults
