// The GPUs and PCIe links that RandomReadings draws.
#include <algorithm>

#include "healthcheck/gpu/gpu_counters.hpp"
#include "tests/faults/random_readings.hpp"

namespace yardmaster::faults {
namespace {

// Reasons that mean nothing: idle, application clocks, software power cap, hardware slowdown, sync
// boost, software heat, display (nvmlClocksEventReasons).
constexpr std::uint64_t kNormalReasons[] = {0, 1, 2, 4, 8, 0x10, 0x20, 0x100};

/// What a counter of gpu_counters may grow by without being a sign.
double allowed_growth(const std::string& name, const CounterLimits& limits, double minutes) {
    if (name.starts_with("crc ")) {
        return limits.nvlink_crc_per_s * 60 * minutes;
    }
    if (name == kPcieReplays) {
        return limits.pcie_replays_per_minute * minutes;
    }
    if (name.starts_with("transmit_discard ") || name.starts_with("link_recovery_successful ")) {
        return 1e9;
    }
    return name.starts_with("link_recovery_failed ") ? 0
                                                     : limits.nvlink_errors_per_minute * minutes;
}

}  // namespace

void RandomReadings::draw_links(GpuReading& gpu) {
    for (auto& [name, links] : gpu.nvlink.fields) {
        const bool rate = name == "symbol_ber" || name == "effective_ber";
        for (NvmlNumber& link : links) {
            if (link.ok() && chance(0.3)) {
                // Counters of the whole time since the driver was loaded; rates from 1e-13 down.
                link.value = rate ? (1 + pick(9)) << 8 | (14 + pick(200)) : pick(100000);
            }
        }
    }
}

void RandomReadings::draw_gpu(GpuReading& gpu, Drawn& drawn) {
    for (NvmlNumber* optional : {&gpu.ecc_uncorrected,
                                 &gpu.remap_pending,
                                 &gpu.remap_failed,
                                 &gpu.recovery_action,
                                 &gpu.clock_reasons}) {
        const int absent[] = {kNvmlNotSupported, kNvmlFunctionNotFound, kNvmlNotRead};
        if (chance(0.02)) {
            *optional = {absent[pick(3)], 0};
        } else if (chance(0.002)) {
            *optional = {kNvmlUnknown, 0};
            drawn.all_read = false;
        }
    }
    if (gpu.clock_reasons.ok()) {
        gpu.clock_reasons.value =
            kNormalReasons[pick(std::size(kNormalReasons))] | kNormalReasons[pick(4)];
    }
    gpu.pcie.generation = {kNvmlSuccess, 1 + pick(5)};  // drops at idle
    gpu.pcie.replays = {kNvmlSuccess, pick(1000)};
    if (chance(0.02)) {
        gpu.nvlink.fabric.health = 0;  // an older structure
        gpu.nvlink.fabric.health_summary = 0;
        gpu.nvlink.fabric.version = 1;
    }
    draw_links(gpu);
    draw_gpu_past(gpu, drawn);
}

/// Counts at an earlier check, from which none has grown faster than it may. A reset of the GPU
/// lets counts fall, and another driver begins anew.
void RandomReadings::draw_gpu_past(const GpuReading& gpu, Drawn& drawn) {
    const double minutes = std::max(elapsed_s_, 600.0) / 60;  // counter_limits.hpp, window
    const bool same_driver = chance(0.9);
    CounterSnapshot before{drawn.readings.uptime_s - elapsed_s_, {}, drawn.readings.nvml.driver};
    before.driver += same_driver ? "" : " before";
    for (const auto& [name, now] : gpu_counters(gpu)) {
        const double most =
            std::min(allowed_growth(name, drawn.scope.counters, minutes), static_cast<double>(now));
        const auto grown = static_cast<std::uint64_t>(chance(0.7) ? 0 : uniform(0, most));
        if (!same_driver || !comparable_) {
            before.counters[name] = pick(100000);
        } else {
            before.counters[name] = chance(0.02) ? now + 1 + pick(1000) : now - grown;
        }
    }
    drawn.readings.baseline.objects[gpu.uuid] = std::move(before);
}

void RandomReadings::draw_pci(PciReading& device, Drawn& drawn) {
    CounterSnapshot before{drawn.readings.uptime_s - elapsed_s_, {}};
    for (auto& [kind, now] : device.errors) {
        const std::uint64_t old = chance(0.6) ? 0 : pick(100000);
        const double allowed = kind == "correctable" ? 250 : 0;  // 1e-12 of 16 x 16 GT/s in 1000 s
        before.counters[kind] = old;
        now = old + static_cast<std::uint64_t>(
                        chance(0.7) ? 0 : uniform(0, allowed * std::max(elapsed_s_, 600.0) / 1000));
        now = comparable_ ? now : pick(100000);
    }
    drawn.readings.baseline.objects[device.address] = std::move(before);
    for (PciLink& link : device.path) {
        if (chance(0.3)) {
            link.current_gts = 2.5;  // asleep
        }
        if (chance(0.005)) {
            link.current_width = std::nullopt;
        }
    }
}

}  // namespace yardmaster::faults
