#include "healthcheck/pcie/pcie_judge.hpp"

#include <algorithm>
#include <cmath>

#include "healthcheck/gpu/gpu_judge.hpp"
#include "healthcheck/port/growth_judge.hpp"

namespace yardmaster {
namespace {

/// A device of the job and what findings call it.
struct Judged {
    std::string name;  ///< "GPU3", "mlx5_3"
    const PciReading* device;
};

const PciReading* find_pci(const Readings& readings, const std::string& address) {
    const auto found =
        std::find_if(readings.pci.begin(), readings.pci.end(), [&](const PciReading& device) {
            return device.address == address;
        });
    return address.empty() || found == readings.pci.end() ? nullptr : &*found;
}

std::vector<Judged> judged_devices(const CheckScope& scope, const Readings& readings) {
    std::vector<Judged> all;
    for (unsigned minor : scope.gpus) {
        const GpuReading* gpu = scope.mig ? nullptr : find_gpu(readings.gpus, minor);
        const PciReading* device =
            gpu == nullptr ? nullptr : find_pci(readings, pci_address(gpu->pci));
        if (device != nullptr) {
            all.push_back({"GPU" + std::to_string(minor), device});
        }
    }
    for (const ExpectedRail& rail : scope.rails) {
        for (const PciReading& device : readings.pci) {
            if (device.device == rail.device) {
                all.push_back({rail.device, &device});
            }
        }
    }
    return all;
}

/// What a link between two ends can be at most; none where an end does not say.
template <typename T>
std::optional<T> lesser(const std::optional<T>& a, const std::optional<T>& b) {
    return a && b ? std::optional(std::min(*a, *b)) : std::nullopt;
}

/// The links on a way are between its elements 0 and 1, 2 and 3, ...: between 1 and 2 lies the
/// inside of a switch. Calls `use(lower, upper)` for each.
template <typename Use>
void for_each_link(const std::vector<PciLink>& path, Use use) {
    for (std::size_t i = 0; i + 1 < path.size(); i += 2) {
        use(path[i], path[i + 1]);
    }
}

bool has(const std::vector<Finding>& findings, const std::string& object) {
    return std::any_of(findings.begin(), findings.end(), [&](const Finding& finding) {
        return finding.object == object && finding.sign == "pcie.width";
    });
}

/// A shared link above a switch is told once, by the address of the port it comes from: the slot.
void judge_widths(const Judged& judged, std::vector<Finding>& findings) {
    const auto& path = judged.device->path;
    for_each_link(path, [&](const PciLink& lower, const PciLink& upper) {
        const auto able = lesser(lower.max_width, upper.max_width);
        const bool own = &lower == &path.front();
        const std::string object = own ? judged.name : upper.address;
        if (!able || !lower.current_width || *lower.current_width >= *able ||
            has(findings, object)) {
            return;
        }
        const std::string widths =
            "x" + std::to_string(*lower.current_width) + "/" + std::to_string(*able);
        findings.push_back({"pcie",
                            object,
                            "pcie.width",
                            Verdict::kDegraded,
                            true,
                            own ? "PCIe " + widths : widths,
                            "the PCIe link from " + upper.address + " to " + lower.address +
                                " is " + std::to_string(*lower.current_width) +
                                " lanes wide, both ends can do " + std::to_string(*able) +
                                (own ? "" : "; it carries " + judged.name)});
    });
}

std::optional<double> able_speed(const PciReading& device) {
    return device.path.size() < 2 ? std::nullopt
                                  : lesser(device.path[0].max_gts, device.path[1].max_gts);
}

/// The fastest that a device of the same kind on this node can be.
double best_speed(const PciReading& device, const Readings& readings) {
    double best = 0;
    for (const PciReading& other : readings.pci) {
        if (!device.kind.empty() && other.kind == device.kind) {
            best = std::max(best, able_speed(other).value_or(0));
        }
    }
    return best;
}

std::string gts(double value) {
    const std::string text = std::to_string(std::lround(value * 10));
    return text.substr(0, text.size() - 1) +
           (text.back() == '0' ? "" : "." + text.substr(text.size() - 1));
}

/// Slots can differ by design, so this is one sign, not proof.
void judge_generation(const Judged& judged,
                      const Readings& readings,
                      std::vector<Finding>& findings) {
    const auto able = able_speed(*judged.device);
    const double best = best_speed(*judged.device, readings);
    if (able && *able < best) {
        findings.push_back({"pcie",
                            judged.name,
                            "pcie.generation",
                            Verdict::kDegraded,
                            false,
                            "PCIe " + gts(*able) + "/" + gts(best) + "GT",
                            "the PCIe link can do " + gts(*able) +
                                " GT/s, others of its kind on this node " + gts(best) + " GT/s"});
    }
}

std::uint64_t grown(const PciReading& device, const char* kind, const CounterSnapshot& base) {
    const auto now = device.errors.find(kind);
    const auto before = base.counters.find(kind);
    if (now == device.errors.end() || before == base.counters.end()) {
        return 0;
    }
    return growth_of(now->second, before->second, 64).count;
}

/// Bits per second of the device's own link at its best.
double link_bits(const PciReading& device) {
    if (device.path.size() < 2) {
        return 0;
    }
    const auto width = lesser(device.path[0].max_width, device.path[1].max_width);
    return able_speed(device).value_or(0) * 1e9 * width.value_or(0);
}

}  // namespace

std::optional<Finding> judge_pcie_errors(const std::string& name,
                                         const PciReading& device,
                                         const CounterLimits& limits,
                                         const Readings& readings) {
    const CounterSnapshot* base = baseline_of(readings, device.address);
    if (base == nullptr) {
        return std::nullopt;
    }
    const double elapsed = readings.uptime_s - base->uptime_s;
    const double span = std::max(elapsed, static_cast<double>(limits.window.count()));
    const std::uint64_t hard = grown(device, "nonfatal", *base) + grown(device, "fatal", *base);
    const std::uint64_t soft = grown(device, "correctable", *base);
    const double allowed = limits.pcie_ber * link_bits(device) * span;
    // Without a known link there is no rate to hold a number against.
    if (hard == 0 && (allowed <= 0 || static_cast<double>(soft) <= allowed)) {
        return std::nullopt;
    }
    return Finding{"pcie",
                   name,
                   "pcie.errors",
                   Verdict::kDegraded,
                   false,
                   "PCIe errors",
                   device.address + " had " + std::to_string(hard) + " uncorrectable and " +
                       std::to_string(soft) + " correctable PCIe errors in " +
                       std::to_string(std::lround(elapsed)) + " s (limits 0 and " +
                       std::to_string(std::lround(allowed)) + ")"};
}

std::vector<Finding> judge_pcie(const CheckScope& scope, const Readings& readings) {
    std::vector<Finding> findings;
    for (const Judged& judged : judged_devices(scope, readings)) {
        judge_widths(judged, findings);
        judge_generation(judged, readings, findings);
        if (auto errors =
                judge_pcie_errors(judged.name, *judged.device, scope.counters, readings)) {
            findings.push_back(std::move(*errors));
        }
    }
    return findings;
}

}  // namespace yardmaster
