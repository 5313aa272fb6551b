// What NVML says of a GPU's NVLinks, its NVLink fabric and its peers, unjudged.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "healthcheck/gpu/nvml_number.hpp"

namespace yardmaster {

/// nvmlDeviceGetGpuFabricInfoV, or on older libraries nvmlDeviceGetGpuFabricInfo.
struct FabricReading {
    int code = kNvmlNotRead;  ///< of the call; the rest is meaningful only for kNvmlSuccess
    unsigned version = 0;     ///< structure that was answered: 1 has no health, 3 has a summary
    unsigned state = 0;       ///< kFabric...
    int status = 0;           ///< nvmlReturn_t of the registration; counts once it is completed
    unsigned clique = 0;
    std::string cluster_uuid;     ///< "00000001-0000-..."; "" when unread
    std::uint32_t health = 0;     ///< healthMask: fields of fabric_health.hpp
    unsigned health_summary = 0;  ///< 0 not told, 1 healthy, 2 unhealthy, 3 limited capacity
    bool ok() const { return code == kNvmlSuccess; }
    bool operator==(const FabricReading&) const = default;
};

/// NVML_GPU_FABRIC_STATE_*
enum FabricState : unsigned {
    kFabricNotSupported = 0,
    kFabricNotStarted = 1,
    kFabricInProgress = 2,
    kFabricCompleted = 3,
};

/// nvmlDeviceGetP2PStatus(NVML_P2P_CAPS_INDEX_NVLINK) from one GPU to another.
struct PeerReading {
    unsigned index = 0;  ///< NVML index of the other GPU
    /// nvmlGpuP2PStatus_t: 0 OK, 4 switched off by a driver setting, others: no path
    NvmlNumber status = kNumberNotRead;
    bool operator==(const PeerReading&) const = default;
};

/// All that is read of one GPU's NVLinks beyond their state.
struct NvlinkReading {
    /// NVML_FI_DEV_NVSWITCH_CONNECTED_LINK_COUNT: links that end at an NVSwitch
    NvmlNumber switch_links = kNumberNotRead;
    FabricReading fabric;
    /// [name of nvlink_field.hpp][link] counters since the driver was loaded, and error rates as
    /// NVML codes them. A field that no link of the GPU supports is left out.
    std::map<std::string, std::vector<NvmlNumber>> fields;
    std::vector<PeerReading> peers;
};

}  // namespace yardmaster
