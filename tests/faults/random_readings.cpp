#include "tests/faults/random_readings.hpp"

#include <algorithm>
#include <numeric>

#include "healthcheck/port/counter_table.hpp"

namespace yardmaster::faults {

/// One counter file of a port, with what it had in the baseline.
struct DrawnCounter {
    const PortCounter& row;
    CounterReading& now;
    double gbps;
    CounterSnapshot& before;
};

namespace {

std::uint64_t highest(unsigned bits) {
    return bits >= 64 ? UINT64_MAX : (std::uint64_t{1} << bits) - 1;
}

bool of_job(const CheckScope& scope, unsigned minor) {
    return std::find(scope.gpus.begin(), scope.gpus.end(), minor) != scope.gpus.end();
}

}  // namespace

void RandomReadings::draw_job(Drawn& drawn) {
    CheckScope& scope = drawn.scope;
    scope.job = static_cast<std::uint32_t>(1 + pick(1000000));
    if (chance(0.4)) {
        return;
    }
    std::erase_if(scope.gpus, [&](unsigned) { return chance(0.5); });
    if (scope.gpus.empty()) {
        scope.gpus = {base_.scope.gpus[pick(base_.scope.gpus.size())]};
    }
    std::erase_if(scope.rails,
                  [&](const ExpectedRail& rail) { return !of_job(scope, rail.gpus.front()); });
    std::erase_if(drawn.readings.ports, [&](const PortReading& port) {
        return std::none_of(scope.rails.begin(), scope.rails.end(), [&](const ExpectedRail& rail) {
            return rail.device == port.device;
        });
    });
}

/// NVML's order of the GPUs is another one than that of the device files.
void RandomReadings::draw_numbering(Drawn& drawn) {
    auto& gpus = drawn.readings.gpus;
    if (chance(0.5)) {
        return;
    }
    std::vector<unsigned> order(gpus.size());
    std::iota(order.begin(), order.end(), 0u);
    std::shuffle(order.begin(), order.end(), random_);
    for (GpuReading& gpu : gpus) {
        gpu.index = order[gpu.index];
        for (PeerReading& peer : gpu.nvlink.peers) {
            peer.index = order[peer.index];
        }
    }
    std::sort(gpus.begin(), gpus.end(), [](const GpuReading& a, const GpuReading& b) {
        return a.index < b.index;
    });
}

void RandomReadings::draw_boot(Drawn& drawn) {
    Readings& readings = drawn.readings;
    readings.boot_id = "boot-" + std::to_string(pick(1000));
    readings.uptime_s = uniform(60, 3e7);
    readings.baseline = {};
    elapsed_s_ = uniform(0.5, chance(0.5) ? 900 : 3e5);
    comparable_ = chance(0.8) && elapsed_s_ < readings.uptime_s;
    readings.baseline.boot_id = comparable_ || chance(0.5) ? readings.boot_id : "boot-before";
    if (!comparable_ && readings.baseline.boot_id == readings.boot_id) {
        elapsed_s_ = -uniform(1, 1e6);  // the baseline is from the future
    }
}

void RandomReadings::draw_counter(const DrawnCounter& counter, Drawn& drawn) {
    const std::string name(counter.row.file);
    if (chance(0.002)) {
        counter.now = {std::nullopt, "N/A (no PMA)"};
        drawn.all_read = false;
        return;
    }
    const std::uint64_t top = highest(std::min(counter.row.bits, 40u));
    const double span = std::max(elapsed_s_, 600.0);  // counter_limits.hpp, window
    const double allowed =
        counter.row.advisory ? 1e6
        : counter.row.allowed_per_s
            ? counter.row.allowed_per_s(drawn.scope.counters, counter.gbps) * span
            : 0;
    std::uint64_t before = chance(0.6) ? 0 : pick(top);
    std::uint64_t now = before + static_cast<std::uint64_t>(chance(0.7) ? 0 : uniform(0, allowed));
    if (chance(0.05)) {
        before = now = highest(counter.row.bits);  // saturated long ago
    } else if (chance(0.05)) {
        now = pick(before + 1);  // cleared, or the driver was loaded again
    } else if (!comparable_) {
        now = pick(top);  // any number: there is nothing to compare it with
    }
    counter.now = {std::min(now, highest(counter.row.bits)), ""};
    counter.before.counters[name] = std::min(before, highest(counter.row.bits));
}

void RandomReadings::draw_port(PortReading& port, Drawn& drawn) {
    const auto rail = std::find_if(
        drawn.scope.rails.begin(), drawn.scope.rails.end(), [&](const ExpectedRail& expected) {
            return expected.device == port.device;
        });
    CounterSnapshot before{drawn.readings.uptime_s - elapsed_s_, {}};
    for (const PortCounter& row : port_counters()) {
        const auto now = port.counters.find(std::string(row.file));
        if (now != port.counters.end()) {
            draw_counter({row, now->second, rail->gbps, before}, drawn);
        }
    }
    drawn.readings.baseline.objects[port.device] = std::move(before);
}

/// Ports that nobody uses, in any state.
void RandomReadings::draw_spares(Drawn& drawn) {
    static const char* const kPhysical[] = {"3: Disabled", "2: Polling", "5: LinkUp"};
    for (std::size_t spare = pick(4); spare > 0; --spare) {
        PortIdentity identity;
        identity.device = "mlx5_spare" + std::to_string(spare);
        identity.pci = "00ff:" + std::to_string(10 + spare) + ":00.0";
        identity.link_layer = chance(0.5) ? "InfiniBand" : "Ethernet";
        identity.phys_state = kPhysical[pick(3)];
        identity.physical = chance(0.2) ? "0000:10:00.0" : "";
        drawn.readings.inventory.devices.push_back(identity.device);
        const auto& nics = base_.readings.identities;
        if (const PciPlace* place =
                find_place(base_.readings.wiring, nics[pick(nics.size())].pci)) {  // as near as it
            drawn.readings.wiring.places.push_back({identity.pci, place->bridges});
        }
        PortReading port;
        port.device = identity.device;
        port.present = true;
        port.state = "1: DOWN";
        port.phys_state = identity.phys_state;
        port.rate = "10 Gb/sec (4X SDR)";
        drawn.readings.ports.push_back(std::move(port));
        drawn.readings.identities.push_back(std::move(identity));
    }
    for (PortIdentity& identity : drawn.readings.identities) {  // storage is being moved
        const auto& rails = drawn.scope.node_rails;
        if (std::find(rails.begin(), rails.end(), identity.device) == rails.end() && chance(0.3)) {
            identity.phys_state = "2: Polling";
        }
    }
}

Drawn RandomReadings::draw() {
    Drawn drawn{base_.scope, base_.readings, true};
    draw_job(drawn);
    draw_numbering(drawn);
    draw_boot(drawn);
    for (PortReading& port : drawn.readings.ports) {
        draw_port(port, drawn);
    }
    for (GpuReading& gpu : drawn.readings.gpus) {
        draw_gpu(gpu, drawn);
    }
    for (PciReading& device : drawn.readings.pci) {
        draw_pci(device, drawn);
    }
    draw_spares(drawn);
    return drawn;
}

}  // namespace yardmaster::faults
