#include "healthcheck/gpu/gpu_growth.hpp"

#include <algorithm>
#include <cmath>

#include "healthcheck/gpu/gpu_counters.hpp"
#include "healthcheck/nvlink/nvlink_field.hpp"
#include "healthcheck/port/growth_judge.hpp"

namespace yardmaster {
namespace {

constexpr unsigned kLinkBits = 64;
constexpr unsigned kReplayBits = 32;  // nvmlDeviceGetPcieReplayCounter gives an unsigned int

/// A GPU's baseline, and the time since.
struct Past {
    const CounterSnapshot& base;
    double elapsed_s;
    double span_s;  ///< that rates are held against: a window at least

    std::uint64_t growth(const std::string& counter, std::uint64_t now, unsigned bits) const {
        const auto before = base.counters.find(counter);
        return before == base.counters.end() ? 0 : growth_of(now, before->second, bits).count;
    }
};

/// Growth that is no sign yet.
double allowed(NvlinkCount count, const CounterLimits& limits, double span_s) {
    switch (count) {
        case NvlinkCount::kErrors:
            return limits.nvlink_errors_per_minute / 60 * span_s;
        case NvlinkCount::kCrc:
            return limits.nvlink_crc_per_s * span_s;
        case NvlinkCount::kLost:
        case NvlinkCount::kRate:
        case NvlinkCount::kAdvisory:
            break;
    }
    return 0;
}

bool judged(NvlinkCount count) {
    return count != NvlinkCount::kRate && count != NvlinkCount::kAdvisory;
}

bool active(const GpuReading& gpu, std::size_t link) {
    return link < gpu.nvlinks.size() && gpu.nvlinks[link].ok() && gpu.nvlinks[link].value == 1;
}

std::string growth_text(std::uint64_t growth, double limit) {
    return std::to_string(growth) + " (limit " + std::to_string(std::lround(limit)) + ")";
}

/// ", recovery of NVLink 7 by 20 (limit 10)" for each link on which `field` grew too much.
std::string grown_links(const NvlinkField& field,
                        const GpuReading& gpu,
                        const Past& past,
                        double limit) {
    std::string text;
    const auto links = gpu.nvlink.fields.find(std::string(field.name));
    for (std::size_t link = 0; links != gpu.nvlink.fields.end() && link < links->second.size();
         ++link) {
        const NvmlNumber& now = links->second[link];
        // Most are 0, and this is judged again with each line of a reader.
        if (!now.ok() || now.value == 0 || !active(gpu, link)) {
            continue;
        }
        const std::uint64_t growth =
            past.growth(link_counter_name(field.name, link), now.value, kLinkBits);
        if (static_cast<double>(growth) > limit) {
            text += ", " + std::string(field.name) + " of NVLink " + std::to_string(link) + " by " +
                    growth_text(growth, limit);
        }
    }
    return text;
}

void judge_links(const std::string& name,
                 const GpuReading& gpu,
                 const CounterLimits& limits,
                 const Past& past,
                 std::vector<Finding>& findings) {
    std::string grown;
    bool lost = false;
    for (const NvlinkField& field : nvlink_fields()) {
        if (judged(field.count)) {
            const std::string links =
                grown_links(field, gpu, past, allowed(field.count, limits, past.span_s));
            lost = lost || (field.count == NvlinkCount::kLost && !links.empty());
            grown += links;
        }
    }
    if (!grown.empty()) {
        findings.push_back(
            {"nvlink",
             name,
             "nvlink.growth",
             Verdict::kDegraded,
             false,
             lost ? "NVL flapped" : "NVL errors",
             "grew in " + std::to_string(std::lround(past.elapsed_s)) + " s: " + grown.substr(2)});
    }
}

void judge_replays(const std::string& name,
                   const GpuReading& gpu,
                   const CounterLimits& limits,
                   const Past& past,
                   std::vector<Finding>& findings) {
    const double limit = limits.pcie_replays_per_minute / 60 * past.span_s;
    const std::uint64_t growth =
        gpu.pcie.replays.ok() ? past.growth(kPcieReplays, gpu.pcie.replays.value, kReplayBits) : 0;
    if (static_cast<double>(growth) > limit) {
        findings.push_back({"pcie",
                            name,
                            "pcie.errors",
                            Verdict::kDegraded,
                            false,
                            "PCIe errors",
                            "NVML's count of PCIe replays grew in " +
                                std::to_string(std::lround(past.elapsed_s)) + " s by " +
                                growth_text(growth, limit)});
    }
}

}  // namespace

std::vector<Finding> judge_gpu_growth(const std::string& name,
                                      const GpuReading& gpu,
                                      const CounterLimits& limits,
                                      const Readings& readings) {
    const CounterSnapshot* base = gpu.uuid.empty() ? nullptr : baseline_of(readings, gpu.uuid);
    if (base == nullptr) {
        return {};
    }
    const double elapsed_s = readings.uptime_s - base->uptime_s;
    const Past past{
        *base, elapsed_s, std::max(elapsed_s, static_cast<double>(limits.window.count()))};
    std::vector<Finding> findings;
    if (!gpu.mig_mode.ok() || gpu.mig_mode.value == 0) {
        judge_links(name, gpu, limits, past, findings);
    }
    judge_replays(name, gpu, limits, past, findings);
    return findings;
}

}  // namespace yardmaster
