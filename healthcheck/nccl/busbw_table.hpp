// Public figures of all-reduce bandwidth, for nodes that have no baseline yet.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace yardmaster {

/// busbw in GB/s that others published for `gpus` GPUs of `model` (nvmlDeviceGetName) in one node
/// and messages of `bytes`; none where nobody wrote it down here. Where it depends on settings, the
/// lower one.
std::optional<double> published_busbw(std::string_view model, unsigned gpus, std::uint64_t bytes);

}  // namespace yardmaster
