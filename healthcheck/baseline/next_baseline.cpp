#include "healthcheck/baseline/next_baseline.hpp"

#include <algorithm>

#include "healthcheck/gpu/gpu_counters.hpp"
#include "healthcheck/gpu/gpu_growth.hpp"
#include "healthcheck/gpu/gpu_judge.hpp"
#include "healthcheck/gpu/gpu_numbering.hpp"
#include "healthcheck/pcie/pcie_judge.hpp"
#include "healthcheck/port/counter_table.hpp"
#include "healthcheck/port/growth_judge.hpp"

namespace yardmaster {
namespace {

CounterSnapshot snapshot(const PortReading& reading, double uptime_s) {
    CounterSnapshot taken{uptime_s, {}};
    for (const PortCounter& row : port_counters()) {
        const auto found = reading.counters.find(std::string(row.file));
        if (found != reading.counters.end() && found->second.value) {
            taken.counters[found->first] = *found->second.value;
        }
    }
    return taken;
}

/// Whether `now` cannot be compared with `before`: a counter fell, or appeared.
bool restarted(const CounterSnapshot& before, const CounterSnapshot& now) {
    return std::any_of(now.counters.begin(), now.counters.end(), [&](const auto& counter) {
        const auto old = before.counters.find(counter.first);
        return old == before.counters.end() || counter.second < old->second;
    });
}

void keep(const std::string& object,
          CounterSnapshot now,
          bool reported,
          const CheckScope& scope,
          const Readings& readings,
          CounterBaseline& next) {
    const CounterSnapshot* before = baseline_of(readings, object);
    const double window = static_cast<double>(scope.counters.window.count());
    if (before == nullptr || reported || restarted(*before, now) ||
        now.uptime_s - before->uptime_s >= window) {
        next.objects[object] = std::move(now);
    }
}

/// Only the job's GPUs: of the others, NVLinks are not read.
void keep_gpus(const CheckScope& scope, const Readings& readings, CounterBaseline& next) {
    for (const unsigned minor : number_by_minor(scope, readings.nvml, readings.gpus).scope.gpus) {
        const GpuReading* gpu = find_gpu(readings.gpus, minor);
        if (gpu != nullptr && !gpu->uuid.empty()) {
            keep(gpu->uuid,
                 {readings.uptime_s, gpu_counters(*gpu), readings.nvml.driver},
                 !judge_gpu_growth("", *gpu, scope.counters, readings).empty(),
                 scope,
                 readings,
                 next);
        }
    }
}

double rail_gbps(const CheckScope& scope, const PortReading& port) {
    const auto rail =
        std::find_if(scope.rails.begin(), scope.rails.end(), [&](const ExpectedRail& expected) {
            return expected.device == port.device && expected.port == port.port;
        });
    return rail == scope.rails.end() ? 0 : rail->gbps;
}

}  // namespace

CounterBaseline next_baseline(const CheckScope& scope, const Readings& readings) {
    CounterBaseline next;
    next.boot_id = readings.boot_id;
    if (readings.baseline.boot_id == readings.boot_id) {
        next.objects = readings.baseline.objects;
    }
    for (const PortReading& port : readings.ports) {
        if (port.present) {
            keep(port_name(port),
                 snapshot(port, readings.uptime_s),
                 judge_growth(port, rail_gbps(scope, port), scope.counters, readings).has_value(),
                 scope,
                 readings,
                 next);
        }
    }
    for (const PciReading& device : readings.pci) {
        keep(device.address,
             {readings.uptime_s, device.errors},
             judge_pcie_errors("", device, scope.counters, readings).has_value(),
             scope,
             readings,
             next);
    }
    keep_gpus(scope, readings, next);
    return next;
}

bool baseline_moves(const CounterBaseline& next, const CounterBaseline& kept) {
    return !next.boot_id.empty() && to_json(next).dump_exact() != to_json(kept).dump_exact();
}

}  // namespace yardmaster
