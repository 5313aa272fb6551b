#include "healthcheck/nvlink/fabric_judge.hpp"

#include <algorithm>

#include "healthcheck/gpu/gpu_judge.hpp"
#include "healthcheck/nvlink/fabric_health.hpp"

namespace yardmaster {
namespace {

constexpr const char* kSign = "nvlink.fabric";

// NVML_GPU_FABRIC_HEALTH_SUMMARY_*
constexpr unsigned kUnhealthy = 2;
constexpr unsigned kLimitedCapacity = 3;

Finding unknown(const std::string& name, std::string detail) {
    return {"nvlink", name, kSign, Verdict::kUnknown, false, "", std::move(detail)};
}

Finding degraded(const std::string& name, bool certain, std::string text, std::string detail) {
    return {"nvlink", name, kSign, Verdict::kDegraded, certain, std::move(text), std::move(detail)};
}

bool is_zero(const std::string& uuid) {
    return uuid.find_first_not_of("0-") == std::string::npos;
}

void judge_health(const std::string& name,
                  const FabricReading& fabric,
                  std::vector<Finding>& findings) {
    const auto conditions = fabric_conditions(fabric.health);
    for (const FabricCondition& condition : conditions) {
        findings.push_back(degraded(name,
                                    !condition.passing,
                                    std::string(condition.short_text),
                                    std::string(condition.meaning)));
    }
    if (!conditions.empty()) {
        return;
    }
    if (fabric.health_summary == kUnhealthy) {
        findings.push_back(
            degraded(name, true, "NVL unwell", "the NVLink fabric reports the GPU as unhealthy"));
    } else if (fabric.health_summary == kLimitedCapacity) {
        findings.push_back(degraded(
            name, false, "NVL capacity", "the NVLink fabric reports limited capacity of the GPU"));
    }
}

/// Boards with the GPU of a rack but without its NVSwitches belong to no cluster.
bool belongs_to_cluster(const GpuReading& gpu, NvlinkFabric expected) {
    const NvmlNumber& switches = gpu.nvlink.switch_links;
    return expected == NvlinkFabric::kRack && !(switches.ok() && switches.value == 0);
}

void judge_completed(const std::string& name,
                     const GpuReading& gpu,
                     NvlinkFabric expected,
                     std::vector<Finding>& findings) {
    const FabricReading& fabric = gpu.nvlink.fabric;
    if (fabric.status != kNvmlSuccess) {
        findings.push_back(degraded(name,
                                    true,
                                    "fabric error",
                                    "registration with the NVLink fabric ended with NVML error " +
                                        std::to_string(fabric.status)));
    } else if (belongs_to_cluster(gpu, expected) && is_zero(fabric.cluster_uuid)) {
        findings.push_back(
            degraded(name, true, "no cluster", "the NVLink fabric's cluster UUID is all zero"));
    }
    judge_health(name, fabric, findings);
}

/// A registration that never began, or that the driver does not offer. On an NVSwitch system CUDA
/// then fails with error 802; elsewhere, and in virtual machines, it is the normal state.
void judge_not_registered(const std::string& name,
                          const GpuReading& gpu,
                          NvlinkFabric expected,
                          std::vector<Finding>& findings) {
    const NvmlNumber& switches = gpu.nvlink.switch_links;
    const bool offered = gpu.nvlink.fabric.state == kFabricNotStarted;
    const bool switched = switches.ok() && switches.value > 0;
    if (expected == NvlinkFabric::kNone || (switches.ok() ? !switched : !offered)) {
        return;
    }
    if (switched && offered) {
        findings.push_back(
            degraded(name,
                     false,
                     "fabric off",
                     "registration with the NVLink fabric has not started, though " +
                         std::to_string(switches.value) +
                         " links lead to NVSwitches: is the fabric manager running?"));
    } else {
        findings.push_back(unknown(name, "the GPU has not registered with an NVLink fabric"));
    }
}

struct Place {
    std::string cluster;
    unsigned clique = 0;
    bool operator==(const Place&) const = default;
};

bool has_place(const GpuReading& gpu) {
    return gpu.nvlink.fabric.ok() && gpu.nvlink.fabric.state == kFabricCompleted;
}

Place place_of(const GpuReading& gpu) {
    return {gpu.nvlink.fabric.cluster_uuid, gpu.nvlink.fabric.clique};
}

std::string text_of(const Place& place) {
    return "clique " + std::to_string(place.clique) + " of cluster " + place.cluster;
}

struct PlacedGpu {
    unsigned minor;
    Place place;
    long peers;  ///< GPUs of the node in the same place, this one included
};

std::vector<PlacedGpu> placed_gpus(const CheckScope& scope, const std::vector<GpuReading>& gpus) {
    std::vector<PlacedGpu> placed;
    for (unsigned minor : scope.gpus) {
        const GpuReading* gpu = find_gpu(gpus, minor);
        if (gpu != nullptr && has_place(*gpu)) {
            const Place place = place_of(*gpu);
            placed.push_back(
                {minor, place, std::count_if(gpus.begin(), gpus.end(), [&](const GpuReading& g) {
                     return has_place(g) && place_of(g) == place;
                 })});
        }
    }
    return placed;
}

}  // namespace

void judge_fabric(const std::string& name,
                  const GpuReading& gpu,
                  NvlinkFabric expected,
                  std::vector<Finding>& findings) {
    const FabricReading& fabric = gpu.nvlink.fabric;
    if (!fabric.ok()) {
        if (!means_absent(fabric.code)) {
            findings.push_back(
                unknown(name, "fabric information: NVML error " + std::to_string(fabric.code)));
        }
        return;
    }
    switch (fabric.state) {
        case kFabricCompleted:
            judge_completed(name, gpu, expected, findings);
            break;
        case kFabricInProgress:
            findings.push_back(unknown(name, "registration with the NVLink fabric is in progress"));
            break;
        default:
            judge_not_registered(name, gpu, expected, findings);
    }
}

void judge_fabric_place(const CheckScope& scope,
                        const std::vector<GpuReading>& gpus,
                        std::vector<Finding>& findings) {
    const std::vector<PlacedGpu> placed = placed_gpus(scope, gpus);
    const auto common =
        std::max_element(placed.begin(), placed.end(), [](const PlacedGpu& a, const PlacedGpu& b) {
            return a.peers < b.peers;
        });
    for (const PlacedGpu& gpu : placed) {
        if (gpu.place != common->place) {
            findings.push_back(degraded(gpu_name(gpu.minor),
                                        true,
                                        "NVL split",
                                        "the GPU is in " + text_of(gpu.place) + ", " +
                                            gpu_name(common->minor) + " in " +
                                            text_of(common->place)));
        }
    }
}

}  // namespace yardmaster
