// How many NVLinks a GPU model has.
#pragma once

#include <optional>
#include <string_view>

namespace yardmaster {

/// What a model promises. Where `by_board` holds, links depend on bridges that may be absent by
/// design (PCIe cards), so no number of inactive links is a fault.
struct NvlinkModel {
    unsigned links = 0;
    bool by_board = false;
};

/// Looks `model` (nvmlDeviceGetName) up in the table. None: a model whose links nobody wrote down
/// here; it cannot be judged.
std::optional<NvlinkModel> find_nvlink_model(std::string_view model);

}  // namespace yardmaster
