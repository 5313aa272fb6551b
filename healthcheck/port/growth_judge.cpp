#include "healthcheck/port/growth_judge.hpp"

#include <algorithm>
#include <cmath>

#include "healthcheck/port/counter_table.hpp"
#include "healthcheck/port/rate.hpp"

namespace yardmaster {
namespace {

constexpr unsigned kStateActive = 4;  // enum ib_port_state

/// How one counter of the table moved; kNew when it has no value.
Growth growth_in(const PortReading& reading, const PortCounter& row, const CounterSnapshot* base) {
    const auto now = reading.counters.find(std::string(row.file));
    if (base == nullptr || now == reading.counters.end() || !now->second.value) {
        return {};
    }
    const auto before = base->counters.find(std::string(row.file));
    return growth_of(*now->second.value,
                     before == base->counters.end() ? std::nullopt : std::optional(before->second),
                     row.bits);
}

std::string short_name(const PortCounter& row) {
    return std::string(row.file.substr(row.file.find('/') + 1));
}

bool active(const PortReading& reading) {
    const auto state = parse_port_state(reading.state.value_or(""));
    return state && state->number == kStateActive;
}

double rate_of(const PortReading& reading, double gbps) {
    const auto rate = parse_port_rate(reading.rate.value_or(""));
    return gbps > 0 ? gbps : rate ? rate->gbps : 0;
}

/// By how much the counter may have grown without being a sign.
double allowed(const PortCounter& row, const CounterLimits& limits, double gbps, double elapsed_s) {
    const double span = std::max(elapsed_s, static_cast<double>(limits.window.count()));
    return row.allowed_per_s == nullptr ? 0 : row.allowed_per_s(limits, gbps) * span;
}

}  // namespace

std::string port_name(const PortReading& reading) {
    return reading.device + (reading.port == 1 ? "" : ":" + std::to_string(reading.port));
}

const CounterSnapshot* baseline_of(const Readings& readings, const std::string& object) {
    const CounterBaseline& baseline = readings.baseline;
    const auto found = baseline.objects.find(object);
    const bool same_boot = !readings.boot_id.empty() && baseline.boot_id == readings.boot_id;
    if (!same_boot || found == baseline.objects.end()) {
        return nullptr;
    }
    const CounterSnapshot& kept = found->second;
    const bool same_driver = kept.driver.empty() || kept.driver == readings.nvml.driver;
    return same_driver && kept.uptime_s <= readings.uptime_s ? &kept : nullptr;
}

std::optional<Finding> judge_growth(const PortReading& reading,
                                    double gbps,
                                    const CounterLimits& limits,
                                    const Readings& readings) {
    const CounterSnapshot* base = baseline_of(readings, port_name(reading));
    if (base == nullptr || !active(reading)) {
        return std::nullopt;
    }
    const double elapsed = readings.uptime_s - base->uptime_s;
    std::string grown;
    bool flapped = false;
    for (const PortCounter& row : port_counters()) {
        const Growth growth = growth_in(reading, row, base);
        const double limit = allowed(row, limits, rate_of(reading, gbps), elapsed);
        if (row.advisory || static_cast<double>(growth.count) <= limit) {
            continue;
        }
        flapped = flapped || row.allowed_per_s == nullptr;
        grown += (grown.empty() ? "" : ", ") + short_name(row) + " by " +
                 std::to_string(growth.count) + " (limit " + std::to_string(std::lround(limit)) +
                 ")";
    }
    if (grown.empty()) {
        return std::nullopt;
    }
    return Finding{"port",
                   port_name(reading),
                   "port.growth",
                   Verdict::kDegraded,
                   false,
                   flapped ? "flapped" : "errors",
                   "grew in " + std::to_string(std::lround(elapsed)) + " s: " + grown};
}

std::vector<std::string> growth_notes(const PortReading& reading, const Readings& readings) {
    std::vector<std::string> notes;
    const CounterSnapshot* base = baseline_of(readings, port_name(reading));
    for (const PortCounter& row : port_counters()) {
        const Growth growth = growth_in(reading, row, base);
        const std::string what = port_name(reading) + " " + short_name(row) + ": ";
        if (growth.kind == Growth::Kind::kSaturated) {
            notes.push_back(what + "saturated, so its growth is unknown");
        } else if (growth.kind == Growth::Kind::kRestarted) {
            notes.push_back(what +
                            "smaller than before (reset, or the driver was reloaded): "
                            "counted anew from here");
        } else if (row.advisory && growth.count > 0) {
            notes.push_back(what + "grew by " + std::to_string(growth.count) +
                            ": congestion, not judged");
        }
    }
    return notes;
}

}  // namespace yardmaster
