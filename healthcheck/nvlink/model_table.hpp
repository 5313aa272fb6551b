// How many NVLinks a GPU model has.
#pragma once

#include <optional>
#include <string_view>

namespace yardmaster {

/// Which NVLink fabric GPUs of a model register with (nvmlDeviceGetGpuFabricInfo).
enum class NvlinkFabric {
    kNone,  ///< none to register with: before Hopper, and boards without NVSwitch
    kNode,  ///< the NVSwitches of its own node. The cluster UUID is all zero there: NVIDIA's own
            ///< H100 nodes in good health report "Completed", "Success" and zero
    kRack,  ///< NVSwitches of a rack (NVL72), where the cluster UUID says which rack
};

/// What a model promises. Where `by_board` holds, links depend on bridges that may be absent by
/// design (PCIe cards), so no number of inactive links is a fault.
struct NvlinkModel {
    unsigned links = 0;
    bool by_board = false;
    NvlinkFabric fabric = NvlinkFabric::kNone;
};

/// Looks `model` (nvmlDeviceGetName) up in the table. None: a model whose links nobody wrote down
/// here; it cannot be judged.
std::optional<NvlinkModel> find_nvlink_model(std::string_view model);

}  // namespace yardmaster
